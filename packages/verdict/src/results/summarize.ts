import { countOf } from '@understudy/kit';
import type { EntryResult } from './entry-result.js';
import { isolationOf } from './isolation.js';
import type { Counts, RunResult } from './run-result.js';

/** Adds the entries of a run up. */
export function countEntries(entries: readonly Pick<EntryResult, 'status'>[]): Counts {
  const of = (status: EntryResult['status']) => entries.filter((entry) => entry.status === status).length;
  return {
    total: entries.length,
    passed: of('passed'),
    failed: of('failed'),
    unjudged: of('unjudged'),
    flaky: of('flaky'),
    expected_failures: of('expected_failure'),
    skipped: of('skipped'),
    errors: of('error'),
    interrupted: of('interrupted'),
  };
}

/** Interrupted 130; the harness could not do its job, or nothing ran: 2; something failed or was not judged: 1. */
export function exitCodeOf(counts: Counts, strict = false): RunResult['exit_code'] {
  if (counts.interrupted > 0) return 130;
  if (counts.errors > 0) return 2;
  if (counts.failed + counts.unjudged > 0) return 1;
  if (counts.passed + counts.flaky + counts.expected_failures === 0) return 2;
  return strict && counts.skipped > 0 ? 1 : 0;
}

/** The verdict in a sentence. `noun` is what the run is made of: rehearsals, cases. */
export function verdictOf(counts: Counts, noun: string, strict = false): string {
  const { passed, failed, unjudged, flaky, expected_failures: expected, skipped, errors, interrupted } = counts;
  const skips = skipped === 0 ? '' : `; ${skipped} of ${counts.total} ${noun}s skipped`;
  if (interrupted > 0) return 'interrupted: there is no verdict';
  if (errors > 0) return `${countOf(errors, noun)} could not be run by the harness: there is no verdict${skips}`;
  if (failed + unjudged > 0) {
    const parts = [failed > 0 ? `${failed} failed` : '', unjudged > 0 ? `${unjudged} could not be judged` : ''];
    return `${parts.filter((part) => part !== '').join(', ')}${skips}`;
  }
  if (passed + flaky + expected === 0) return `no ${noun} was run: there is no verdict${skips}`;
  const failures = expected === 0 ? '' : `; ${expected} failed as expected`;
  if (skipped + expected === 0) return `all ${noun}s passed`;
  if (strict && skipped > 0)
    return `${skipped} of ${counts.total} ${noun}s skipped, and --strict allows none; the others passed${failures}`;
  const rest = skipped === 0 ? '' : `; ${skipped} skipped`;
  return `${passed + flaky} of ${counts.total} ${noun}s ran and passed${failures}${rest}`;
}

/** Counts, verdict, exit code and isolation follow from the entries: whoever changes entries asks for all of them again. */
export function summarize(
  entries: readonly Pick<EntryResult, 'status' | 'isolation'>[],
  noun: string,
  strict = false,
  mayBeEmpty = false,
): Pick<RunResult, 'counts' | 'passed' | 'verdict' | 'exit_code' | 'isolation'> {
  const counts = countEntries(entries);
  if (mayBeEmpty && counts.total === 0) {
    return { counts, passed: true, verdict: `there was no ${noun} to run`, exit_code: 0 };
  }
  const exitCode = exitCodeOf(counts, strict);
  return {
    counts,
    passed: exitCode === 0,
    verdict: verdictOf(counts, noun, strict),
    exit_code: exitCode,
    ...isolationOf(entries),
  };
}
