/** The ending of the rehearsals that we write. Theirs may also be YAML or JSON: `isRehearsalFile`. */
export const REHEARSAL_ENDING = '.rehearsal.toml';

/** Whether this is a rehearsal by its name: so they are found in folders. */
export function isRehearsalFile(path: string): boolean {
  return /\.rehearsal\.(?:toml|ya?ml|json)$/.test(path);
}

/** The ending by which contracts are known. */
export const CONTRACT_ENDING = '.orchestrator.toml';

/** The file in the current folder that says how a project runs its rehearsals. */
export const CONFIG_FILE = 'understudy.toml';
