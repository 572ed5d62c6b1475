import { defined } from '@understudy/kit';
import type { AcceptedDifferences } from './accepted.js';
import type { Case } from './case.js';
import { type Change, type ChangeKind, changeKinds, groupBy, type SeenChange } from './change.js';
import { changesBetween } from './changes.js';
import { differencesIn } from './differences.js';
import { normalize } from './normalize.js';
import type { Observed, Program } from './observe.js';

/** One of the programs that are compared. */
export interface Side extends Program {
  /** `claude@2.1.325`, `stand-in` */
  name: string;
  version: string;
}

export interface Comparison {
  before: string;
  after: string;
  /** How many cases both have played to their end. */
  cases: number;
  /** It was interrupted: so many there would have been. */
  interruptedOf?: number;
  changes: SeenChange[];
  /** Cases that one of them did not end in time. */
  unjudged: string[];
}

export interface DriftOptions {
  /** Each is compared with the next. */
  sides: readonly Side[];
  /** For real programs and stand-in alike. */
  cases: readonly Case[];
  /** For real programs only. */
  probes: readonly Case[];
  accepted: AcceptedDifferences;
  play: (program: Program, test: Case) => Promise<Observed>;
  workers: number;
  onProgress?: (progress: Progress) => void;
  /** Ends it: what was played until then is compared. */
  signal?: AbortSignal;
}

export interface Progress {
  /** How many have been played, of how many. */
  done: number;
  total: number;
  /** They are played again, because one alone showed a change. */
  again: boolean;
  /** What was begun last. */
  name: string;
}

interface Played {
  name: string;
  /** One list for each pair of neighbors; undefined where it is not known. */
  changes: (Change[] | undefined)[];
}

/** Plays the cases on every side, and returns what each does otherwise than the one before it. */
export async function findDrift(options: DriftOptions): Promise<Comparison[]> {
  const { sides, cases, probes } = options;
  const all = [...probes, ...cases];
  const first = await playAll(all, options);
  const interruptedOf = options.signal?.aborted === true ? all.length : undefined;
  // What only one case shows may be an accident of its moment: what does not come again is not reported.
  const doubtful = new Set(pairsOf(sides).flatMap((_, at) => alone(first, at)));
  const again = await playAll(
    all.filter(({ name }) => doubtful.has(name)),
    options,
    true,
  );
  const second = new Map(again.map((played) => [played.name, played]));
  return pairsOf(sides).map(([before, after], at) => {
    const judged = first.filter(({ changes }) => changes[at] !== undefined);
    const steady = judged.map((played) => ({
      name: played.name,
      changes: common(played.changes[at] ?? [], second.get(played.name)?.changes[at]),
    }));
    return {
      before: before.name,
      after: after.name,
      cases: judged.length,
      ...defined({ interruptedOf }),
      changes: consolidate(gather(steady)),
      unjudged: first.filter(({ changes }) => changes[at] === undefined).map(({ name }) => name),
    };
  });
}

function pairsOf(sides: readonly Side[]): [Side, Side][] {
  return sides.slice(1).flatMap((after, at): [Side, Side][] => {
    const before = sides[at];
    return before === undefined ? [] : [[before, after]];
  });
}

/** The cases with a change that no other case shows. */
function alone(played: readonly Played[], at: number): string[] {
  return gather(played.map(({ name, changes }) => ({ name, changes: changes[at] ?? [] }))).flatMap(({ cases }) =>
    cases.length === 1 ? cases : [],
  );
}

function common(changes: readonly Change[], again: readonly Change[] | undefined): Change[] {
  if (again === undefined) return [...changes];
  const seen = new Set(again.map((change) => JSON.stringify(change)));
  return changes.filter((change) => seen.has(JSON.stringify(change)));
}

/** In their order, without those that an interruption cut off. */
async function playAll(cases: readonly Case[], options: DriftOptions, again = false): Promise<Played[]> {
  const { onProgress } = options;
  const isInterrupted = (): boolean => options.signal?.aborted === true;
  const waiting = [...cases];
  const played = new Map<Case, Played>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !isInterrupted(); next = waiting.shift()) {
      const tell = () => onProgress?.({ done: played.size, total: cases.length, again, name: next?.name ?? '' });
      tell();
      const one = await playCase(next, options);
      if (isInterrupted()) return;
      played.set(next, one);
      tell();
    }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  return cases.flatMap((test) => played.get(test) ?? []);
}

async function playCase(test: Case, { sides, probes, play, accepted }: DriftOptions): Promise<Played> {
  const isProbe = probes.includes(test);
  const seen: (Observed | undefined)[] = [];
  for (const side of sides) {
    if (isProbe && side.kind === 'stand-in') seen.push(undefined);
    else seen.push(await play(side, test));
  }
  const changes = pairsOf(sides).map(([before, after], at): Change[] | undefined => {
    const [old, own] = [seen[at], seen[at + 1]];
    // The stand-in has nothing to say in a probe.
    if (old === undefined || own === undefined) return [];
    if (old.exitCode === null || own.exitCode === null) return undefined;
    if (before.kind === 'real' && after.kind === 'real')
      return changesBetween(normalize(old, before.version), normalize(own, after.version));
    return accepted.unaccepted(test.name, differencesIn(old, own)).map(asChange);
  });
  return { name: test.name, changes };
}

const KINDS: readonly (readonly [RegExp, ChangeKind])[] = [
  [/^exit code/, 'exit code'],
  [/^std(out|err)/, 'output'],
  [/^transcript/, 'transcript'],
  [/^(not )?told/, 'told'],
];

/** A difference from the stand-in is one line of text. */
function asChange(difference: string): Change {
  return { kind: KINDS.find(([pattern]) => pattern.test(difference))?.[1] ?? 'event', subject: difference };
}

/** Each change once, in the order of its kinds, those of many cases first. */
function gather(played: readonly { name: string; changes: readonly Change[] }[]): SeenChange[] {
  const seen = played.flatMap(({ name, changes }) => changes.map((change) => ({ change, name })));
  return [...groupBy(seen, ({ change }) => JSON.stringify(change)).values()]
    .flatMap((group) => {
      const [one] = group;
      return one === undefined ? [] : [{ ...one.change, cases: group.map(({ name }) => name) }];
    })
    .sort(
      (a, b) =>
        changeKinds.indexOf(a.kind) - changeKinds.indexOf(b.kind) ||
        b.cases.length - a.cases.length ||
        (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0),
    );
}

/** Kinds in which a change may be about a field: `timestamp: string`. */
const WITH_FIELDS: readonly ChangeKind[] = ['event field', 'transcript', 'hook payload'];
const FIELD = /^[^\s:]+: (?:string|number|boolean|null|object|array)$/;

/**
 * What is one change for a reader: a field that came to many kinds of lines at once, and a description of a tool, which
 * has other words for other models.
 */
function consolidate(changes: readonly SeenChange[]): SeenChange[] {
  const groups = groupBy(changes, (change) => {
    const { kind, subject, before, after } = change;
    if (kind === 'tool description') return JSON.stringify([kind, subject]);
    return isAboutField(change)
      ? JSON.stringify([kind, before, after])
      : JSON.stringify([kind, subject, before, after]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const subject = [...new Set(group.map((change) => change.subject))].join(', ');
    return [{ ...first, subject, cases: [...new Set(group.flatMap(({ cases }) => cases))] }];
  });
}

function isAboutField({ kind, before, after }: SeenChange): boolean {
  return WITH_FIELDS.includes(kind) && [before, after].every((side) => side === undefined || FIELD.test(side));
}
