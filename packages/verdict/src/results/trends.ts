/** What is remembered of a run when its result is gone. */
export interface PastRun {
  at: string;
  command: 'run' | 'e2e';
  exit_code: number;
  verdict: string;
  duration_ms: number;
  total: number;
  /** With those that passed at a further try. */
  passed: number;
  tokens?: number | undefined;
  /** Status and milliseconds of each test. */
  tests: Record<string, [status: string, ms: number]>;
}

/** A test whose verdict was not the same in all runs. */
export interface ChangingTest {
  test: string;
  /** The oldest first; `undefined` where it did not run. */
  statuses: (string | undefined)[];
  /** How often its verdict turned. */
  turns: number;
}

/** A test that takes longer in the newer half of the runs than in the older half. */
export interface SlowingTest {
  test: string;
  was: number;
  is: number;
}

export interface Trends {
  changing: ChangingTest[];
  slowing: SlowingTest[];
}

const SLOWER_FACTOR = 1.5;
const SLOWER_MS = 500;
/** With fewer, one slow moment of the machine would be a trend. */
const FEWEST_TIMES = 4;

/** What the runs, the oldest first, show together. */
export function trendsOf(runs: readonly PastRun[]): Trends {
  const tests = [...new Set(runs.flatMap((run) => Object.keys(run.tests)))].sort();
  const changing = tests.map((test): ChangingTest => {
    const statuses = runs.map((run) => run.tests[test]?.[0]);
    const verdicts = statuses.flatMap((status) => verdictOf(status) ?? []);
    return {
      test,
      statuses,
      turns: verdicts.filter((verdict, index) => index > 0 && verdict !== verdicts[index - 1]).length,
    };
  });
  return {
    changing: changing.filter(({ turns }) => turns > 0).sort((one, other) => other.turns - one.turns),
    slowing: tests
      .flatMap((test) => slowing(test, runs) ?? [])
      .sort((one, other) => other.is - other.was - (one.is - one.was)),
  };
}

/** Neither a skipped nor an interrupted test has one. */
function verdictOf(status: string | undefined): 'green' | 'red' | undefined {
  if (status === 'passed' || status === 'flaky') return 'green';
  return status === 'failed' || status === 'unjudged' || status === 'error' ? 'red' : undefined;
}

function slowing(test: string, runs: readonly PastRun[]): SlowingTest | undefined {
  const times = runs.flatMap(({ tests }) => (verdictOf(tests[test]?.[0]) === 'green' ? [tests[test]?.[1] ?? 0] : []));
  if (times.length < FEWEST_TIMES) return undefined;
  const half = Math.floor(times.length / 2);
  const [was, is] = [median(times.slice(0, half)), median(times.slice(-half))];
  return is - was > SLOWER_MS && is > was * SLOWER_FACTOR ? { test, was, is } : undefined;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
