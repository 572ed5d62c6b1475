import type { EntryResult } from './entry-result.js';
import type { Diagnosis } from './sections.js';

/** A diagnosis that says more than the error or the checks that are shown beside it. */
export function reportedDiagnosis({
  error,
  context,
  steps,
  checks,
  diagnosis,
}: Pick<EntryResult, 'error' | 'context' | 'steps' | 'checks' | 'diagnosis'>): Diagnosis | undefined {
  if (diagnosis?.source !== 'rules') return diagnosis;
  const shown = steps.some((step) => step.checks.length > 0) || checks.length > 0;
  switch (diagnosis.failure_type) {
    case 'HarnessError':
      return error === undefined ? diagnosis : undefined;
    case 'AssertionMismatch':
      // No rule of this type knows more about a conversation than the checks.
      return context === undefined && shown ? undefined : diagnosis;
    case 'NotJudged':
      return shown ? undefined : diagnosis;
    default:
      return diagnosis;
  }
}
