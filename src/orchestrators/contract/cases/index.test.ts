import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { alwaysChecks } from '../contract-checks.js';
import { loadContract } from '../load-contract.js';
import { genericCases } from './index.js';

const contracts = ['bash', 'python', 'reference'].map((name) =>
  loadContract(resolve(`examples/orchestrators/${name}.orchestrator.toml`)),
);
const stops = contracts.map((contract) => ({ ...contract, on_agent_failure: 'stop' as const }));

it('has what is asked of any orchestrator', () => {
  expect(genericCases(contracts[0] ?? expect.fail()).map(({ id }) => id)).toEqual([
    ...['connects', 'one-iteration', 'several-iterations'],
    ...['stops-at-promise', 'promise-in-prompt', 'promise-in-tool-output'],
    ...['iteration-limit', 'promise-at-limit'],
    ...['agent-fails-once', 'agent-fails-always', 'rate-limit', 'signed-out'],
    ...['agent-killed', 'agent-hangs', 'agent-missing'],
    ...['huge-output', 'no-newline', 'bad-bytes'],
    ...['interrupted', 'two-backends', 'spaces', 'two-at-once', 'run-again'],
  ]);
});

it.each([...contracts, ...stops].flatMap((contract) => genericCases(contract).map((one) => [one.id, one] as const)))(
  '%s fails if nothing is seen, and has a baseline for checks that it makes',
  (_, one) => {
    const checks = [...one.check([], 'claude'), ...alwaysChecks([])];
    const names = checks.map(({ name }) => name);
    expect(checks.some(({ status }) => status === 'failed')).toBe(true);
    expect(new Set(names).size).toBe(names.length);
    expect(one.baselines.length).toBeGreaterThan(0);
    for (const { fails } of one.baselines) {
      expect(fails.length).toBeGreaterThan(0);
      expect(names).toEqual(expect.arrayContaining([...fails]));
    }
  },
);

it('leaves out what the contract cannot be asked', () => {
  const [bash = expect.fail()] = contracts;
  const small = { ...bash, run: ['./loop.sh', '{{prompt}}'], agents: ['claude' as const] };
  const skipped = genericCases(small).flatMap(({ id, skipReason }) => (skipReason === undefined ? [] : [id]));
  expect(skipped).toEqual([
    ...['iteration-limit', 'promise-at-limit', 'agent-fails-always', 'signed-out', 'agent-hangs', 'agent-missing'],
    'two-backends',
  ]);
});
