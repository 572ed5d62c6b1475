import { join } from 'node:path';
import { hookEventFacts, hookEventNames } from './events.js';

/** Where hooks of a session write that. */
export function envFolder(configFolder: string, sessionId: string): string {
  return join(configFolder, 'session-env', sessionId);
}

/** The file of one hook, `CLAUDE_ENV_FILE`: its place among those that run for the event is part of the name. */
export function envFile(folder: string, event: string, at: number): string | undefined {
  if (hookEventFacts(event).environment === undefined) return undefined;
  return join(folder, `${event.toLowerCase()}-hook-${at}.sh`);
}

/** The order in which such files are read. */
export function inReadingOrder(names: readonly string[]): string[] {
  const rank = (name: string): number => {
    const event = hookEventNames.find((one) => name.startsWith(`${one.toLowerCase()}-hook-`));
    return hookEventFacts(event ?? '').environment ?? -1;
  };
  const known = names.filter((name) => rank(name) !== -1);
  return known.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }));
}
