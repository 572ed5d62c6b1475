import { basename } from 'node:path';

/** The ending of the rehearsals that we write. Theirs may be written otherwise: `isRehearsalFile`. */
export const REHEARSAL_ENDING = '.rehearsal.toml';

/** Whether this is a rehearsal by its name: so they are found in folders. */
export function isRehearsalFile(path: string): boolean {
  return /\.rehearsal\.(?:toml|ya?ml|json|mjs|m?ts)$/.test(path);
}

/** Whether this is a module, whose default export is the document. */
export function isModuleFile(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

/** The name of a rehearsal in the names of what belongs to it: `explore` of `rehearsals/explore.rehearsal.yaml`. */
export function rehearsalStem(path: string): string {
  return basename(path).replace(/(?:\.rehearsal)?\.(?:toml|ya?ml|json|[cm]?[jt]s)$/, '');
}

/** The ending by which contracts are known. */
export const CONTRACT_ENDING = '.orchestrator.toml';

/** The ending of a test that `report export` wrote. */
export const REPRO_ENDING = '.understudy-repro.json';

/** The file that says how a project runs its rehearsals. */
export const CONFIG_FILE = 'understudy.toml';

/** The file in which a user says how guards are attacked. */
export const GUARD_FILE = 'guard.toml';
