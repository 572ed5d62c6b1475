import type { EntryResult } from '@understudy/verdict';

/** 95 %, on both sides. */
const Z = 1.959964;

/** The interval in which the true rate lies, by Wilson: it holds for few runs, too. */
export function wilsonInterval(passed: number, runs: number): { low: number; high: number } {
  const share = passed / runs;
  const squared = Z ** 2 / runs;
  const center = (share + squared / 2) / (1 + squared);
  const half = (Z / (1 + squared)) * Math.sqrt((share * (1 - share)) / runs + squared / (4 * runs));
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}

/** How often the same passed without the thing under test. */
export function rateWithout(what: string, passed: number, runs: number): NonNullable<EntryResult['without']> {
  return { what, passed, runs, ...wilsonInterval(passed, runs) };
}

/** The same over several runs. */
export function sumWithout(all: readonly NonNullable<EntryResult['without']>[]): EntryResult['without'] {
  const [first] = all;
  const sum = (of: 'passed' | 'runs') => all.reduce((total, one) => total + one[of], 0);
  return first === undefined ? undefined : rateWithout(first.what, sum('passed'), sum('runs'));
}

/** How often an entry passed, with what that says about the next time. */
export function rateOf(passed: number, runs: number, threshold: number): NonNullable<EntryResult['rate']> {
  const { low, high } = wilsonInterval(passed, runs);
  return { passed, runs, threshold, low, high };
}
