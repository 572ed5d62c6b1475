import { expect, it } from 'vitest';
import { sampleCheck, sampleContext, sampleEntry, sampleIteration } from '../../../../test/helpers/sample-results.js';
import type { EntryResult } from '../results/entry-result.js';
import { findRationalizations } from './rationalizations.js';

const FILE_FAILED = sampleCheck('failed', { name: 'x.txt has "y"', subject: { kind: 'file', path: 'x.txt' } });

/** The excuses in a failed case whose only agent said this. */
function excuses(output: string, context: Parameters<typeof sampleContext>[0] = {}, more: Partial<EntryResult> = {}) {
  const seen = sampleContext({ iterations: [sampleIteration({ output })], ...context });
  return findRationalizations([sampleEntry('a@claude', 'failed', { checks: [FILE_FAILED], context: seen, ...more })]);
}
const event = (topic: string, payload: string) => ({ topic, payload, timestamp: 't' });
const passed: Partial<EntryResult> = { status: 'passed', checks: [{ ...FILE_FAILED, status: 'passed' }] };

it('quotes the sentence, and what was the case instead', () => {
  expect(excuses('First things first. I’ll update the scratchpad later. Now the code.')).toEqual([
    {
      test: 'a@claude',
      rationalization: 'I’ll update the scratchpad later.',
      reality: 'the scratchpad was empty at the end',
      action: 'fail the case when the scratchpad is empty',
    },
  ]);
  expect(excuses('I’ll update the scratchpad later.', { scratchpad_after: '- [ ] lexer' })).toEqual([]);
});

it('tests that should pass', () => {
  const said = 'Tests should pass.';
  const unproven = { events_emitted: [event('build.blocked', 'tests are missing')] };
  expect(excuses(said, unproven)).toMatchObject([
    { rationalization: said, reality: expect.stringContaining('tests: pass') },
  ]);
  expect(excuses(said, { events_emitted: [event('build.done', 'tests: pass')] })).toEqual([]);
  // Nobody asked for evidence here.
  expect(excuses(said)).toEqual([]);
});

it('completion that is obvious', () => {
  const said = 'Completion is obvious.';
  expect(excuses(said, { termination_reason: 'max_iterations' })).toMatchObject([
    { reality: 'the loop ended: max_iterations' },
  ]);
  expect(excuses(said)).toMatchObject([{ reality: 'the loop ended: no record of it' }]);
  expect(excuses(said, { termination_reason: 'completed' })).toEqual([]);
});

it('a role that is understood and not played', () => {
  const said = 'As the Builder, I will build.';
  expect(excuses(said)).toMatchObject([{ reality: 'it wrote no event, and this failed: x.txt has "y"' }]);
  expect(excuses(`${said}\n<event topic="build.done">x</event>`)).toEqual([]);
  expect(excuses(said, {}, passed)).toEqual([]);
});

it.each(['A file is not necessary.', 'The instructions are only suggestions.'])('%s', (said) => {
  expect(excuses(said)).toMatchObject([{ rationalization: said, reality: 'this failed: x.txt has "y"' }]);
  expect(excuses(said, {}, passed)).toEqual([]);
  const byLoop = { checks: [sampleCheck('failed', { subject: { kind: 'exit_code', code: 0 } })] };
  expect(excuses(said, {}, byLoop)).toEqual([]);
});

it('counts the same excuse once, and takes what was printed where there are no iterations', () => {
  const twice = [1, 2].map((iteration) => sampleIteration({ iteration, output: 'A file is not necessary.' }));
  expect(excuses('', { iterations: twice })).toHaveLength(1);
  expect(excuses('', { iterations: [], stdout: 'A file is not necessary.' })).toHaveLength(1);
});

it('says nothing of ordinary words, or of a case that was not run', () => {
  expect(excuses('I wrote the lexer. Later versions may be faster.')).toEqual([]);
  expect(findRationalizations([sampleEntry('b@claude', 'skipped')])).toEqual([]);
});
