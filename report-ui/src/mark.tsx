import type { EntryStatus } from '../../src/results/entry-result.js';

const MARKS: Record<EntryStatus, string> = {
  passed: '✓',
  failed: '✗',
  unjudged: '?',
  flaky: '±',
  skipped: '–',
  error: '!',
  interrupted: '–',
};

export function Mark({ status }: { status: EntryStatus }) {
  return (
    <span class={`mark ${status}`} role="img" aria-label={status} title={status}>
      {MARKS[status]}
    </span>
  );
}
