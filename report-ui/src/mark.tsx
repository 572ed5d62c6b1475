import type { OverviewEntry } from '../../packages/verdict/src/reporters/html/page-data.js';
import type { EntryStatus } from '../../packages/verdict/src/results/entry-result.js';

const MARKS: Record<EntryStatus, string> = {
  passed: '✓',
  failed: '✗',
  unjudged: '?',
  flaky: '±',
  expected_failure: 'x',
  skipped: '–',
  error: '!',
  interrupted: '–',
};

export function Mark({ status, state }: { status: EntryStatus; state?: OverviewEntry['state'] }) {
  if (state !== undefined) {
    return (
      <span class={`mark ${state}`} role="img" aria-label={state} title={state}>
        {state === 'idle' ? '○' : '⋯'}
      </span>
    );
  }
  return (
    <span class={`mark ${status}`} role="img" aria-label={status} title={status}>
      {MARKS[status]}
    </span>
  );
}
