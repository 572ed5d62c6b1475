import { expect, it } from 'vitest';
import { HOSTILE, harmfulIn } from '../../../../test/helpers/hostile-text.js';
import { failedRehearsal, oneOfEach, rehearsalRun } from '../../../../test/helpers/sample-runs.js';
import { writeComment } from './comment.js';

const passed = (id: string) => failedRehearsal('Glob', { id, name: id, status: 'passed', steps: [] });
const failed = (id: string) => failedRehearsal('Glob', { id, name: id });

it('has the verdict and the first failure in full', () => {
  const comment = writeComment(rehearsalRun([passed('one'), failed('two'), failed('three')]));
  expect(comment).toContain('### 🔴 understudy run: 2 failed');
  expect(comment).toContain('1 of 3 passed · 4.2 s');
  expect(comment).toContain('**two** (claude sim)');
  expect(comment).toContain('> 14 | tools = ["Glob"]');
  expect(comment).toContain('expected  one of Glob');
  expect(comment).toContain("again: understudy run 'Glob'");
  expect(comment).toContain(
    '<summary>1 more failure</summary>\n\n- `three` claude: step 1, tools: Glob: expected one of Glob',
  );
  expect(comment).not.toContain('Against the base');
});

it('says what changed, and shows first what this change broke', () => {
  const base = rehearsalRun([failed('old'), passed('broken'), failed('mended'), passed('gone')]);
  const comment = writeComment(rehearsalRun([failed('old'), failed('broken'), passed('mended')]), base);
  expect(comment).toContain('Against the base: 1 newly failing, 1 still failing, 1 fixed, 1 gone.');
  expect(comment).toContain('Newly failing:\n\n- `broken` claude');
  expect(comment).toContain('**broken** (claude sim)');
  const same = rehearsalRun([passed('one')]);
  expect(writeComment(same, same)).toContain('Against the base: no change.');
});

it('tells of more tokens', () => {
  const using = (input: number) =>
    rehearsalRun([{ ...passed('one'), usage: { calls: 1, input_tokens: input, output_tokens: 10 } }]);
  expect(writeComment(using(2000), using(1000))).toContain('1 with more tokens');
  expect(writeComment(using(1050), using(1000))).toContain('no change');
});

it('takes hostile text for text, and stays below the limit of a comment', () => {
  const many = Array.from({ length: 200 }, (_, index) => failedRehearsal(`${HOSTILE} ${index}`));
  const comment = writeComment(rehearsalRun([...oneOfEach(HOSTILE), ...many]), rehearsalRun(oneOfEach(HOSTILE)));
  expect(harmfulIn(comment)).toEqual([]);
  expect(comment.length).toBeLessThan(65_536);
  expect(comment).toContain('<!-- understudy -->');
});
