import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { alwaysChecks } from '../contract-checks.js';
import { loadContract } from '../load-contract.js';
import { genericCases } from './index.js';
import { answers, STILL_AT_IT, withWork } from './script.js';

const contracts = ['bash', 'python', 'reference'].map((name) =>
  loadContract(resolve(`examples/orchestrators/${name}.orchestrator.toml`)),
);
const stops = contracts.map((contract) => ({ ...contract, on_agent_failure: 'stop' as const }));
const PUBLIC = 'examples/orchestrators/public';
const publicOnes = readdirSync(PUBLIC).map((file) => loadContract(join(PUBLIC, file)));

it('has what is asked of any orchestrator', () => {
  expect(genericCases(contracts[0] ?? expect.fail()).map(({ id }) => id)).toEqual([
    ...['connects', 'one-iteration', 'several-iterations'],
    ...['stops-at-promise', 'promise-in-prompt', 'promise-in-tool-output'],
    ...['iteration-limit', 'promise-at-limit'],
    ...['agent-fails-once', 'agent-fails-always', 'rate-limit', 'signed-out', 'promise-then-failure'],
    ...['agent-killed', 'agent-hangs', 'agent-missing'],
    ...['huge-output', 'no-newline', 'bad-bytes'],
    ...['interrupted', 'two-backends', 'spaces', 'two-at-once', 'run-again'],
  ]);
});

it.each(
  [...contracts, ...stops, ...publicOnes].flatMap((contract) =>
    genericCases(contract).map((one) => [one.id, one] as const),
  ),
)('%s fails if nothing is seen, and has a baseline for checks that it makes', (_, one) => {
  const checks = [...one.check([], 'claude'), ...alwaysChecks([])];
  const names = checks.map(({ name }) => name);
  expect(checks.some(({ status }) => status === 'failed')).toBe(true);
  expect(new Set(names).size).toBe(names.length);
  expect(one.baselines.length).toBeGreaterThan(0);
  for (const { fails } of one.baselines) {
    expect(fails.length).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining([...fails]));
  }
});

it('leaves out what the contract cannot be asked', () => {
  const [bash = expect.fail()] = contracts;
  const small = { ...bash, run: ['./loop.sh', '{{prompt}}'], agents: ['claude' as const] };
  const skipped = genericCases(small).flatMap(({ id, skipReason }) => (skipReason === undefined ? [] : [id]));
  expect(skipped).toEqual([
    ...['iteration-limit', 'promise-at-limit', 'agent-fails-always', 'signed-out', 'promise-then-failure'],
    ...['agent-hangs', 'agent-missing', 'two-backends'],
  ]);
});

it('never says the same twice while there is more to do, and changes a file where the contract wants it', () => {
  const { responses = [] } = answers(STILL_AT_IT);
  expect(new Set(responses.map(({ response }) => response)).size).toBeGreaterThan(6);
  expect(responses.map(({ when }) => when)).toEqual([...[1, 2, 3, 4, 5, 6].map((call) => ({ call })), undefined]);
  expect(answers(STILL_AT_IT, 'Done.').responses).toHaveLength(2);
  expect(withWork({ responses }, undefined).responses).toBe(responses);
  expect(withWork(answers('Done.'), 'a b').responses).toMatchObject([
    { response: { text: 'Done.', tool_calls: [{ input: { command: `echo "one more line" >> 'a b'` } }] } },
  ]);
});
