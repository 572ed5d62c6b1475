import { expect, it } from 'vitest';
import { sampleCheck, sampleContext, sampleDiagnosis } from '../../../../test/helpers/sample-results.js';
import { reportedDiagnosis } from './reported-diagnosis.js';
import type { Diagnosis } from './sections.js';

const of = (failure_type: Diagnosis['failure_type']): Diagnosis => ({ ...sampleDiagnosis(), failure_type });
const entry = { steps: [], checks: [sampleCheck('failed')] };

it('is left out where it says what the error or the checks beside it say', () => {
  const error = { code: 'AGENT_NOT_FOUND', message: 'there is no agent', fix: 'Fetch it.' };
  expect(reportedDiagnosis({ ...entry, checks: [], error, diagnosis: of('HarnessError') })).toBeUndefined();
  expect(reportedDiagnosis({ ...entry, diagnosis: of('AssertionMismatch') })).toBeUndefined();
  expect(reportedDiagnosis({ ...entry, diagnosis: of('NotJudged') })).toBeUndefined();
});

it('is told where it knows more: by an agent, of a program, of a cause, of an entry without checks', () => {
  const plain = of('AssertionMismatch');
  const told = [
    { ...entry, diagnosis: { ...plain, source: 'agent' as const } },
    { ...entry, diagnosis: plain, context: sampleContext() },
    { ...entry, diagnosis: of('HookMismatch') },
    { steps: [], checks: [], diagnosis: of('NotJudged') },
  ];
  for (const one of told) expect(reportedDiagnosis(one)).toBe(one.diagnosis);
});
