import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../process/scratch.js';
import { defineScenario } from '../scenario/load.js';
import { checkScript, scriptUsage } from './script-checks.js';
import { scenarioFor } from './stage-scenario.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('script');
});
afterEach(() => scratch.remove());

const scenario = defineScenario({
  responses: [
    { pattern: { type: 'contains', text: 'one' }, response: '1' },
    { name: 'second', pattern: { type: 'contains', text: 'two' }, response: '2' },
    { pattern: { type: 'contains', text: 'three' }, response: '3', optional: true },
  ],
});

function usage(...lines: object[]) {
  const log = join(scratch.path, 'log.jsonl');
  writeFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return scriptUsage({ server: undefined }, scenario.document, log);
}
const used = (...matched: string[]) => ({ matched, outcome: 'success', result: '' });

it('passes when every rule spoke and every request was answered', () => {
  const results = checkScript(usage(used('responses[0]'), used('responses[1].turns[0]', 'responses[1]')));
  expect(results).toMatchObject([{ status: 'passed' }, { status: 'passed' }]);
});

it('fails on a rule that was never used, by its name, but not on an optional one', () => {
  const [unused] = checkScript(usage(used('responses[0]')));
  expect(unused).toMatchObject({ name: 'every rule is used', status: 'failed', actual: 'second never did' });
  expect(unused?.evidence).toEqual(['responses[1] (contains "two")']);
});

it('fails on a request that nothing answered', () => {
  const log = usage(used('responses[0]'), used('responses[1]'), {
    matched: [],
    outcome: 'unanswered',
    result: 'no rule for "four"',
  });
  expect(checkScript(log)[1]).toMatchObject({ status: 'failed', actual: 'no rule for "four"' });
});

it('takes a log that was never written for one in which nothing was used', () => {
  const nothing = scriptUsage({ server: undefined }, scenario.document, join(scratch.path, 'none'));
  expect(checkScript(nothing)[0]).toMatchObject({ status: 'failed' });
});

it('checks nothing that is allowed', () => {
  expect(checkScript(usage(), { unused: true, unanswered: true })).toEqual([]);
});

it('lets tools really run on the stand-in, unless the script says otherwise', () => {
  expect(scenarioFor('sim', scenario).document.tool_execution).toEqual({ mode: 'live' });
  expect(scenarioFor('scripted', scenario)).toBe(scenario);
  const mocked = defineScenario({ ...scenario.document, tool_execution: { mode: 'mock' } });
  expect(scenarioFor('sim', mocked)).toBe(mocked);
});
