import { field, required } from '@understudy/kit';
import { type IsolationState, isolationLevels } from '@understudy/stage';
import * as z from 'zod/mini';

const reason = field(
  'Why it is not more, such as "bubblewrap is not installed"; of a mixed run, how many had which.',
  z.string(),
);

/** What an entry had around it. */
export const isolationSchema = z.strictObject({
  level: required(
    'none: it could do what the user can. sandbox: bubblewrap. docker: a container.',
    z.enum(isolationLevels),
  ),
  reason,
});

/** What the entries of a run had around them. */
export const runIsolationSchema = z.strictObject({
  level: required(
    'As of an entry; mixed: not all entries had the same, and each says which.',
    z.enum([...isolationLevels, 'mixed']),
  ),
  reason,
});

export type RunIsolation = z.infer<typeof runIsolationSchema>;

/** `isolation: none (bubblewrap is not installed)` */
export function isolationText({ level, reason: why }: RunIsolation): string {
  return `isolation: ${level}${why === undefined ? '' : ` (${why})`}`;
}

/** Nobody asked for `none`: something is missing here. Or only a part of the run had something. */
export function isUnwanted({ level, reason: why }: RunIsolation): boolean {
  return level === 'mixed' || (level === 'none' && why !== undefined);
}

/** What several entries had around them, as one. */
export function commonIsolation(states: readonly (IsolationState | undefined)[]): RunIsolation | undefined {
  const counts = new Map<string, { state: IsolationState; count: number }>();
  for (const state of states) {
    if (state === undefined) continue;
    const text = isolationText(state);
    counts.set(text, { state, count: (counts.get(text)?.count ?? 0) + 1 });
  }
  const [first, ...others] = counts.values();
  if (first === undefined || others.length === 0) return first?.state;
  const parts = [first, ...others].map(({ state: { level, reason: why }, count }) =>
    why === undefined ? `${count} ${level}` : `${count} ${level}: ${why}`,
  );
  return { level: 'mixed', reason: parts.join('; ') };
}

/** The isolation of a run, for its result. */
export function isolationOf(entries: readonly { isolation?: IsolationState | undefined }[]): {
  isolation?: RunIsolation;
} {
  const isolation = commonIsolation(entries.map((entry) => entry.isolation));
  return isolation === undefined ? {} : { isolation };
}
