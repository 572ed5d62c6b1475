import { expect, it } from 'vitest';
import { CallBudget, describeCalls } from './call-budget.js';

const entry = (expected: number, most: number, agent = 'claude', stage = 'live') => ({
  ...{ id: agent, agent, stage, calls: { expected, most } },
});

it('starts nothing that could pass the limit of calls, and nothing after it', () => {
  const budget = new CallBudget({ maxCalls: 5 });
  expect(budget.refusal(entry(1, 3))).toBeUndefined();
  // Three are set aside as long as it runs.
  const early = new CallBudget({ maxCalls: 5 });
  early.refusal(entry(1, 3));
  expect(early.refusal(entry(1, 3))).toContain('3 set aside, up to 3 more');
  budget.settle(entry(1, 3), { calls: 1 });
  expect(budget.refusal(entry(2, 4))).toBeUndefined();
  budget.settle(entry(2, 4), { calls: 4 });
  expect(budget.refusal(entry(1, 1))).toBe('not reached: --max-calls 5 could be passed (5 made, up to 1 more)');
  expect(budget.refusal(entry(0, 0))).toContain('not reached');
});

it('stops before the cost is passed, by what calls have cost so far', () => {
  const budget = new CallBudget({ maxCostUsd: 0.1 });
  expect(budget.oneByOne).toBe(true);
  expect(budget.refusal(entry(2, 2))).toBeUndefined();
  budget.settle(entry(2, 2), { calls: 2, cost_usd: 0.06 });
  expect(budget.refusal(entry(1, 1))).toBeUndefined();
  budget.settle(entry(1, 1), { calls: 1, cost_usd: 0.03 });
  expect(budget.refusal(entry(1, 1))).toContain('--max-cost 0.1 would be passed (0.0900 USD spent, about 0.0300 more)');
});

it('does not go on with an agent that does not report its cost, and does with others', () => {
  const budget = new CallBudget({ maxCostUsd: 1 });
  budget.refusal(entry(1, 1, 'kiro'));
  budget.settle(entry(1, 1, 'kiro'), { calls: 1 });
  expect(budget.refusal(entry(1, 1, 'kiro'))).toContain('kiro does not report what it costs');
  expect(budget.refusal(entry(1, 1))).toBeUndefined();
});

it('knows no limit on stages without a real model, or where none was set', () => {
  expect(new CallBudget({ maxCalls: 1 }).refusal(entry(9, 9, 'claude', 'sim'))).toBeUndefined();
  expect(new CallBudget().refusal(entry(9, 9))).toBeUndefined();
});

it('says before a run what it will do', () => {
  const all = [entry(1, 4), entry(2, 3, 'kiro'), entry(9, 9, 'claude', 'sim')];
  expect(describeCalls(all, { maxCalls: 20 }, 2)).toBe(
    'live: 6 to 14 calls of real agents (claude 2 to 8, kiro 4 to 6); at most 20 calls, no limit of cost (--max-cost)',
  );
  expect(describeCalls(all.slice(2), {})).toBeUndefined();
  // What it cost last time, for as many times as it is played now.
  const costs = new Map([['claude on live', 0.02]]);
  expect(describeCalls(all, {}, 3, costs)).toContain(', about 0.06 USD by the last run for 1 of 2 tests; ');
  expect(describeCalls(all.slice(0, 1), {}, 1, costs)).toContain(', about 0.02 USD by the last run; ');
});
