import { type IsolationState, isolationLevels } from '@understudy/stage';
import * as z from 'zod/mini';

const reason = z
  .optional(z.string())
  .check(z.describe('Why it is not more, such as "bubblewrap is not installed"; of a mixed run, how many had which.'));

/** What an entry had around it. */
export const isolationSchema = z
  .strictObject({
    level: z
      .enum(isolationLevels)
      .check(z.describe('none: it could do what the user can. sandbox: bubblewrap. docker: a container.')),
    reason,
  })
  .check(z.describe('How far agents and programs were kept apart from the machine. Absent where nothing ran.'));

/** What the entries of a run had around them. */
export const runIsolationSchema = z
  .strictObject({
    level: z
      .enum([...isolationLevels, 'mixed'])
      .check(z.describe('As of an entry; mixed: not all entries had the same, and each says which.')),
    reason,
  })
  .check(z.describe('How far agents and programs were kept apart from the machine. Absent where nothing ran.'));

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
