/** The ending by which rehearsals are found in folders. */
export const REHEARSAL_ENDING = '.rehearsal.toml';

/** The ending by which contracts are known. */
export const CONTRACT_ENDING = '.orchestrator.toml';
