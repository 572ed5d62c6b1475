import { compareVersions } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';

/** `skip`: this version cannot be judged, as with `git bisect skip`. */
export type Verdict = 'good' | 'bad' | 'skip';

export interface Judged {
  version: string;
  verdict: Verdict;
  /** Why it is bad or skipped. */
  reason?: string;
}

export interface Bisection {
  lastGood: string;
  firstBad: string;
  /** Versions between the two that could not be judged: each of them may be the first bad one. */
  between: string[];
  judged: Judged[];
}

export interface BisectOptions {
  good: string;
  bad: string;
  /** All that there are, in any order. */
  versions: readonly string[];
  judge: (version: string) => Promise<Omit<Judged, 'version'>>;
  onJudged?: (judged: Judged, left: number) => void;
}

/** Finds the release that broke something: each version that is judged halves those that are left. */
export async function bisect({ good, bad, versions, judge, onJudged }: BisectOptions): Promise<Bisection> {
  const range = releasesBetween(good, bad, versions);
  const judged: Judged[] = [];
  let low = 0;
  let high = range.length - 1;
  const skipped = new Set<number>();
  const candidates = (): number[] => range.map((_, at) => at).filter((at) => at > low && at < high && !skipped.has(at));
  const look = async (at: number): Promise<Judged> => {
    const version = range[at] ?? '';
    const one = { version, ...(await judge(version)) };
    judged.push(one);
    if (one.verdict === 'good') low = Math.max(low, at);
    else if (one.verdict === 'bad') high = Math.min(high, at);
    else skipped.add(at);
    onJudged?.(one, candidates().length);
    return one;
  };
  // The ends first: a bisection between wrong ends finds nothing that is true.
  refuseUnless('good', await look(0));
  refuseUnless('bad', await look(high));
  for (let left = candidates(); left.length > 0; left = candidates()) {
    const middle = (low + high) / 2;
    const [nearest = low] = left.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    await look(nearest);
  }
  return {
    lastGood: range[low] ?? good,
    firstBad: range[high] ?? bad,
    between: range.slice(low + 1, high),
    judged,
  };
}

/** The releases from the good one to the bad one, in their order; pre-releases only where they are an end. */
function releasesBetween(good: string, bad: string, versions: readonly string[]): string[] {
  const known = [...new Set(versions)].sort(compareVersions);
  for (const version of [good, bad]) {
    if (!known.includes(version)) throw new UnderstudyError('BISECT_UNKNOWN_VERSION', `npm does not have ${version}`);
  }
  if (compareVersions(good, bad) >= 0) {
    throw new UnderstudyError('BISECT_WRONG_ENDS', `the good version ${good} is not older than the bad version ${bad}`);
  }
  return known
    .slice(known.indexOf(good), known.indexOf(bad) + 1)
    .filter((version) => version === good || version === bad || !version.includes('-'));
}

function refuseUnless(expected: Verdict, { version, verdict, reason }: Judged): void {
  if (verdict === expected) return;
  const why = reason === undefined ? '' : `: ${reason}`;
  const what = verdict === 'skip' ? 'could not be judged' : verdict === 'good' ? 'passes' : 'fails';
  throw new UnderstudyError('BISECT_WRONG_ENDS', `the ${expected} version ${version} ${what}${why}`);
}
