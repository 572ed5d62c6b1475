import { expect, it } from 'vitest';
import { backends, tiers } from './case.js';
import { suiteCases } from './cases/index.js';
import type { CaseResult } from './run-case.js';
import { chooseCases, summarize } from './run-suite.js';

const [anyCase] = suiteCases;
const result = (status: CaseResult['status'], more: Partial<CaseResult> = {}): CaseResult => {
  if (anyCase === undefined) throw new Error('there are no cases');
  return { id: 'x', case: anyCase, backend: 'claude', status, assertions: [], baselines: [], milliseconds: 0, ...more };
};

it('is green only when something passed and nothing failed', () => {
  expect(summarize([result('passed'), result('skipped')])).toMatchObject({ passed: 1, skipped: 1, exitCode: 0 });
  expect(summarize([result('passed'), result('failed')]).exitCode).toBe(1);
});

it('has no verdict when all was skipped, nothing ran, or the harness failed', () => {
  expect(summarize([result('skipped')]).exitCode).toBe(2);
  expect(summarize([]).exitCode).toBe(2);
  expect(summarize([result('passed'), result('failed', { harnessError: true })]).exitCode).toBe(2);
});

it('chooses by backend and by a part of the id', () => {
  const ids = (filter?: string, only = backends.slice()) =>
    chooseCases(suiteCases, only, filter).map(({ case: { id }, backend }) => `${id}@${backend}`);
  expect(ids('hat-single')).toEqual(['hat-single@claude', 'hat-single@kiro', 'hat-single@opencode']);
  expect(ids('hat-single', ['kiro'])).toEqual(['hat-single@kiro']);
  expect(ids('no-such-case')).toEqual([]);
});

it('has every case under one name, in a known tier, with a baseline that names its assertions', () => {
  const ids = suiteCases.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, tier, baselines, backends: on } of suiteCases) {
    expect(tiers, id).toContain(tier);
    expect(on.length, id).toBeGreaterThan(0);
    expect(baselines.length, id).toBeGreaterThan(0);
    for (const { fails } of baselines) expect(fails.length, id).toBeGreaterThan(0);
  }
});

it('has all the cases that the seven tiers are made of', () => {
  const wanted = [
    ...backends.map((backend) => `${backend}-connect`),
    ...['claude-single-iter', 'claude-multi-iter', 'claude-completion', 'kiro-single-iter', 'opencode-single-iter'],
    ...['claude-events', 'claude-backpressure', 'claude-tool-use', 'claude-streaming'],
    ...[
      'single',
      'multi-workflow',
      'event-routing',
      'instructions',
      'backend-override',
      'default-publishes',
      'topology',
    ].map((id) => `hat-${id}`),
    ...['add', 'search', 'list', 'injection', 'persistence', 'types'].map((id) => `memory-${id}`),
    ...['timeout-handling', 'max-iterations', 'auth-failure', 'backend-unavailable'],
  ];
  expect(wanted).toHaveLength(29);
  expect(suiteCases.map(({ id }) => id)).toEqual(expect.arrayContaining(wanted));
});
