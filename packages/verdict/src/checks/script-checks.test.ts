import { defineScenario, type ScriptUsage, Usage } from '@understudy/script';
import { expect, it } from 'vitest';
import { checkScript } from './script-checks.js';

const scenario = defineScenario({
  responses: [
    { pattern: { type: 'contains', text: 'one' }, response: '1' },
    { name: 'second', pattern: { type: 'contains', text: 'two' }, response: '2' },
    { pattern: { type: 'contains', text: 'three' }, response: '3', optional: true },
  ],
});

function usage(rules: readonly number[], ...unanswered: string[]): ScriptUsage {
  const counted = new Usage(scenario.document.responses ?? []);
  for (const rule of rules) counted.entered(rule);
  return { unused: counted.unused(), unmatched: unanswered.map((message) => ({ message, fix: 'Add a rule.' })) };
}

it('passes when every rule spoke and every request was answered', () => {
  const results = checkScript(usage([0, 1]));
  expect(results).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);
});

it('fails on a rule that was never used, by its name, but not on an optional one', () => {
  const [unused] = checkScript(usage([0]));
  expect(unused).toMatchObject({ name: 'every rule is used', status: 'failed', actual: 'second never did' });
  expect(unused?.evidence).toEqual(['responses[1] (contains "two")']);
});

it('fails on a request that nothing answered', () => {
  const [, answered] = checkScript(usage([0, 1], 'no rule for "four"'));
  expect(answered).toMatchObject({ status: 'failed', actual: 'no rule for "four"', suggestion: 'Add a rule.' });
});

it('names a request that came again once', () => {
  const [, answered] = checkScript(usage([0, 1], 'no rule for "four"', 'no rule for "four"', 'no rule for "five"'));
  expect(answered?.evidence).toEqual(['no rule for "four" (2 times)', 'no rule for "five"']);
});

it('checks nothing that is allowed', () => {
  expect(checkScript(usage([]), { unused: true, unanswered: true })).toEqual([]);
});
