import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where fetched CLIs live: UNDERSTUDY_STORE, else the user's cache folder. */
export function storeFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const chosen = environment['UNDERSTUDY_STORE'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  const cache = environment['XDG_CACHE_HOME'];
  return join(cache === undefined || cache === '' ? join(homedir(), '.cache') : cache, 'understudy', 'agents');
}

export function versionFolder(store: string, agent: string, version: string): string {
  return join(store, agent, version);
}
