import { UnderstudyError } from '../errors.js';
import type { Backend, SuiteCase } from './case.js';
import { type CaseContext, type CaseResult, runCase } from './run-case.js';

export interface SuiteOptions extends CaseContext {
  cases: readonly SuiteCase[];
  backends: readonly Backend[];
  /** A part of the id. */
  filter?: string | undefined;
  workers: number;
  keepWorkspaces: boolean;
  onResult?: (result: CaseResult) => void;
}

/** What the whole run came to. */
export interface SuiteResult {
  results: readonly CaseResult[];
  passed: number;
  failed: number;
  skipped: number;
  /** 0 all passed, 1 some failed, 2 the harness could not do its job, or nothing ran. */
  exitCode: 0 | 1 | 2;
  milliseconds: number;
}

/** The cases that a choice of backends and a filter leave, each with a backend of its own. */
export function chooseCases(
  cases: readonly SuiteCase[],
  backends: readonly Backend[],
  filter?: string,
): { case: SuiteCase; backend: Backend }[] {
  return cases
    .flatMap((entry) => entry.backends.map((backend) => ({ case: entry, backend })))
    .filter(({ backend }) => backends.includes(backend))
    .filter(({ case: { id }, backend }) => filter === undefined || `${id}@${backend}`.includes(filter));
}

/** Runs the suite, a few cases at a time, and gives the results in the order of the cases. */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const started = performance.now();
  const jobs = chooseCases(options.cases, options.backends, options.filter);
  if (jobs.length === 0) {
    throw new UnderstudyError(
      'SUITE_NOTHING_TO_RUN',
      `no case matches ${JSON.stringify(options.filter ?? options.backends)}`,
      {
        fix: 'see `understudy e2e --list`',
      },
    );
  }
  const results: CaseResult[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index];
      if (job === undefined) return;
      const result = await runSafely(job.case, job.backend, options);
      results[index] = result;
      if (!options.keepWorkspaces && result.status === 'passed') options.workspaces.remove(result.id);
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.workers, jobs.length) }, work));
  return { ...summarize(results), milliseconds: Math.round(performance.now() - started) };
}

/** A case that cannot be run is told as such, and does not stop the others. */
async function runSafely(suiteCase: SuiteCase, backend: Backend, options: SuiteOptions): Promise<CaseResult> {
  try {
    return await runCase(suiteCase, backend, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const id = `${suiteCase.id}@${backend}`;
    return {
      id,
      case: suiteCase,
      backend,
      status: 'failed',
      reason,
      harnessError: true,
      assertions: [],
      baselines: [],
      milliseconds: 0,
    };
  }
}

/** The verdict. All skipped is not green: nothing was shown. */
export function summarize(results: readonly CaseResult[]): Omit<SuiteResult, 'milliseconds'> {
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const broken = results.some((result) => result.harnessError === true) || passed + failed === 0;
  return { results, passed, failed, skipped, exitCode: broken ? 2 : failed > 0 ? 1 : 0 };
}
