import { expect, it } from 'vitest';
import { addRules, noRules } from './rules.js';
import { ruleWarnings } from './warnings.js';

function warningsOf(list: 'allow' | 'deny' | 'ask', ...texts: string[]): string[] {
  const rules = noRules();
  addRules(rules[list], texts, 'cliArg', '/work');
  return ruleWarnings(rules, [], '/work');
}

it.each([
  [
    'allow',
    'Write(*.md)',
    'Permission allow rule (--allowed-tools): Write(*.md) is not matched by file permission checks',
  ],
  ['deny', 'Write(x)', 'Permission deny rule (--disallowed-tools): Write(x) is not matched'],
  [
    'allow',
    'Write(*)',
    'Permission allow rule "Write(*)" lets Write run without asking only in the working directories.',
  ],
  ['deny', 'Foo', 'Permission deny rule "Foo" matches no known tool'],
  ['ask', 'Bash(', 'Permission ask rule "Bash(" matches no known tool'],
] as const)('warns of the %s rule %s', (list, text, warning) => {
  expect(warningsOf(list, text)).toEqual([expect.stringContaining(warning)]);
});

it.each([
  ['allow', 'Edit(*.md)'],
  ['allow', 'Foo'],
  ['deny', 'Write'],
  ['deny', 'mcp__server__tool'],
  ['deny', 'Task(x)'],
] as const)('says nothing about the %s rule %s', (list, text) => {
  expect(warningsOf(list, text)).toEqual([]);
});
