import { backends, tiers } from '../orchestrators/case.js';
import { INTERRUPTED } from '../orchestrators/run-suite.js';
import type { ReportedResult, SuiteReport } from './schema.js';

type Counts = SuiteReport['summary']['by_tier'][string];

/** The counts of a run. Whoever changes a diagnosis or a quality score counts anew. */
export function summarizeResults(results: readonly ReportedResult[]): SuiteReport['summary'] {
  const failures: Record<string, number> = {};
  for (const { diagnosis } of results) {
    if (diagnosis !== undefined) failures[diagnosis.failure_type] = (failures[diagnosis.failure_type] ?? 0) + 1;
  }
  const quality = (score: string) => results.filter(({ analysis }) => analysis?.quality_score === score).length;
  return {
    ...countsOf(results),
    by_tier: countsBy(tiers, results, ({ tier }) => tier),
    by_backend: countsBy(backends, results, ({ backend }) => backend),
    failures_by_category: failures,
    quality_breakdown: {
      optimal: quality('Optimal'),
      good: quality('Good'),
      acceptable: quality('Acceptable'),
      suboptimal: quality('Suboptimal'),
    },
  };
}

function countsOf(results: readonly ReportedResult[]): Counts {
  const of = (status: ReportedResult['status']) => results.filter((result) => result.status === status).length;
  return { total: results.length, passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

function countsBy(
  names: readonly string[],
  results: readonly ReportedResult[],
  nameOf: (result: ReportedResult) => string,
): Record<string, Counts> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const own = results.filter((result) => nameOf(result) === name);
      return own.length === 0 ? [] : [[name, countsOf(own)]];
    }),
  );
}

/** The verdict in a sentence. */
export function tellVerdict(results: readonly ReportedResult[], exitCode: SuiteReport['exit_code']): string {
  const counts = countsOf(results);
  const harnessErrors = results.filter(({ harness_error: error }) => error).length;
  if (results.some(({ reason }) => reason === INTERRUPTED)) return 'interrupted: there is no verdict';
  if (counts.passed + counts.failed === 0) return 'no case was run: there is no verdict';
  if (harnessErrors > 0) return `${casesOf(harnessErrors)} could not be run by the harness: there is no verdict`;
  if (exitCode === 0)
    return counts.skipped === 0
      ? 'all cases passed'
      : `all cases that could run passed; ${casesOf(counts.skipped)} skipped`;
  return `${casesOf(counts.failed)} failed: something must be done`;
}

function casesOf(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}
