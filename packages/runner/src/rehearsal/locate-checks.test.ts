import { parseSource } from '@understudy/kit';
import { expect, it } from 'vitest';
import { testCheck } from '../../../../test/helpers/test-entry.js';
import { checkLocator, rulePathOf } from './locate-checks.js';

const text = `[[responses]]
pattern = { type = "any" }
[[steps]]
send = "x"
[steps.expect]
tools = { any = ["A"], none = ["B"] }
hooks = [
  { event = "Stop" },
  { event = "PreToolUse" },
]
`;
const locate = checkLocator({ file: 'a.toml', source: parseSource(text, 'toml') });
const at = (...path: (string | number)[]) => locate(path, [testCheck('failed')])[0]?.defined_at;

it('finds the line of each expectation, and the nearest where there is none', () => {
  expect(at('steps', 0, 'expect', 'tools', 'none')).toMatchObject({ file: 'a.toml', line: 6, column: 24 });
  expect(at('steps', 0, 'expect', 'hooks', 1)).toMatchObject({ line: 9, column: 3 });
  expect(at('steps', 0, 'expect', 'outcome')).toMatchObject({ line: 5 });
  expect(at('plugins')).toMatchObject({ line: 1, column: 1 });
  expect(at('steps', 0, 'expect', 'hooks', 1)?.frame).toContain('>  9 |   { event = "PreToolUse" },');
});

it('gives no place to what passed, and to what no text was read for', () => {
  expect(locate(['steps'], [testCheck('passed')])).toEqual([testCheck('passed')]);
  expect(locate(['steps'], [testCheck('unjudged')])[0]?.defined_at).toBeDefined();
  const silent = checkLocator({ file: 'a.toml', source: {} });
  expect(silent(['steps'], [testCheck('failed')])).toEqual([testCheck('failed')]);
});

it('knows the rule of a check of the script', () => {
  const check = { ...testCheck('failed'), subject: { kind: 'rule' as const, paths: ['responses[2].then[0]'] } };
  expect(rulePathOf(check)).toEqual(['responses', 2]);
  expect(rulePathOf(testCheck('failed'))).toEqual(['responses']);
});
