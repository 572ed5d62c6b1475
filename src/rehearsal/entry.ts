import { relative, resolve } from 'node:path';
import type { Stage } from '../agents/driver.js';
import type { Rehearsal } from './load.js';

/** One thing to do: a rehearsal on an agent and a stage. */
export interface Entry {
  rehearsal: Rehearsal;
  agent: string;
  stage: Stage;
  /** From 1, when it is repeated. */
  round: number;
}

/** What names an entry from one run to the next, however its path was written. */
export function entryId({ rehearsal, agent, stage }: EntryName): string {
  return `${relative('.', resolve(rehearsal.file))} ${agent} ${stage}`;
}

interface EntryName {
  rehearsal: Pick<Rehearsal, 'file'>;
  agent: string;
  stage: string;
}
