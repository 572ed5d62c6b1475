import { UnderstudyError } from '../errors.js';
import { type Backend, backends, type SuiteCase } from './case.js';
import { type CaseContext, type CaseResult, resultId, runCase } from './run-case.js';
import type { BackendState } from './stage.js';

export interface SuiteOptions extends CaseContext {
  cases: readonly SuiteCase[];
  backends: readonly Backend[];
  /** A part of the id. */
  filter?: string | undefined;
  workers: number;
  keepWorkspaces: boolean;
  /** The cases in order, and what is known of their backends, before the first starts. */
  onPlan?: (jobs: readonly Job[], states: readonly BackendState[]) => void;
  onBegin?: (job: Job) => void;
  onResult?: (result: CaseResult, job: Job) => void;
}

/** The reason of a case that was cut short, or never begun, because the run was. */
export const INTERRUPTED = 'interrupted';

/** A case on a backend. */
export interface Job {
  case: SuiteCase;
  backend: Backend;
}

/** What the whole run came to. */
export interface SuiteResult {
  results: readonly CaseResult[];
  backends: readonly BackendState[];
  passed: number;
  failed: number;
  skipped: number;
  /** 0 all passed, 1 some failed, 2 the harness could not do its job, or nothing ran. */
  exitCode: 0 | 1 | 2;
  milliseconds: number;
}

/** The cases that a choice of backends and a filter leave, each with a backend of its own. */
export function chooseCases(cases: readonly SuiteCase[], backends: readonly Backend[], filter?: string): Job[] {
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
  const named = backends.filter((backend) => jobs.some((job) => job.backend === backend));
  const states = await Promise.all(named.map((backend) => options.stage.state(backend)));
  options.onPlan?.(jobs, states);
  const stopped = () => options.interrupted?.aborted === true;
  const results: CaseResult[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index];
      if (job === undefined) return;
      const state = states.find(({ backend }) => backend === job.backend);
      if (!stopped()) options.onBegin?.(job);
      const seen = stopped() ? undefined : await runSafely(job, state, options);
      // What was cut short says nothing about the orchestrator.
      const result = seen === undefined || stopped() ? interruptedResult(job) : seen;
      results[index] = result;
      if (!options.keepWorkspaces && result.status === 'passed') options.workspaces.remove(result.id);
      options.onResult?.(result, job);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.workers, jobs.length) }, work));
  return { ...summarize(results), backends: states, milliseconds: Math.round(performance.now() - started) };
}

/** A case that cannot be run is told as such, and does not stop the others. */
async function runSafely(
  { case: suiteCase, backend }: Job,
  state: BackendState | undefined,
  options: SuiteOptions,
): Promise<CaseResult> {
  try {
    return await runCase(suiteCase, backend, options, state);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      id: resultId(suiteCase, backend),
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

function interruptedResult({ case: suiteCase, backend }: Job): CaseResult {
  return {
    id: resultId(suiteCase, backend),
    case: suiteCase,
    backend,
    status: 'skipped',
    reason: INTERRUPTED,
    assertions: [],
    baselines: [],
    milliseconds: 0,
  };
}

/** The verdict. All skipped is not green: nothing was shown. */
export function summarize(results: readonly CaseResult[]): Omit<SuiteResult, 'backends' | 'milliseconds'> {
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  const unfinished = results.some(({ harnessError, reason }) => harnessError === true || reason === INTERRUPTED);
  const broken = unfinished || passed + failed === 0;
  return { results, passed, failed, skipped, exitCode: broken ? 2 : failed > 0 ? 1 : 0 };
}
