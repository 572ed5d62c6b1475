import { expect, it } from 'vitest';
import { backends } from './case.js';
import { suiteCases } from './ralph/cases/index.js';
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
