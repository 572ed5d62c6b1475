import { field, required } from '@understudy/kit';
import * as z from 'zod/mini';
import type { Testimony } from '../checks/witnesses.js';

/** Who saw what an entry is judged by, besides the agent's own words. */
export const witnessesSchema = z.strictObject({
  by: required(
    'wire: our model, by its requests and answers. stand-in: the stand-in, past the hands of its tools. recorder: hooks and calls on their own side. files: the project before and after. kernel: which process asked, told, or tried to leave.',
    z.array(z.enum(['wire', 'stand-in', 'recorder', 'files', 'kernel'])),
  ),
  unprotected: field('Why an agent or program could have changed what recorders say.', z.string()),
});

export type Witnesses = z.infer<typeof witnessesSchema>;

/** Who saw what happened. `level` is how far the agent was kept apart. */
export function witnessesOf(testimonies: readonly Testimony[], level: string | undefined): Witnesses {
  const isProtected = level === 'sandbox';
  const seen = new Set<Witnesses['by'][number]>(testimonies.map(({ wire }) => wire.by));
  if (testimonies.some(({ hooks, isCall }) => hooks !== undefined || isCall === true)) seen.add('recorder');
  seen.add('files');
  if (isProtected) seen.add('kernel');
  const why = level === undefined ? 'there is no sandbox' : `recorders write files in a ${level}`;
  return { by: [...seen], ...(isProtected ? {} : { unprotected: why }) };
}

/** `witnesses: wire, files (unprotected: there is no sandbox)` */
export function witnessesText({ by, unprotected }: Witnesses): string {
  return `witnesses: ${by.join(', ')}${unprotected === undefined ? '' : ` (unprotected: ${unprotected})`}`;
}
