import { join } from 'node:path';
import type { HookEventName } from './events.js';

/** The events whose hooks may say what commands of the shell find in their environment. */
const WRITERS: readonly HookEventName[] = ['Setup', 'SessionStart', 'CwdChanged', 'FileChanged'];

/** Where hooks of a session write that. */
export function envFolder(configFolder: string, sessionId: string): string {
  return join(configFolder, 'session-env', sessionId);
}

/** The file of one hook, `CLAUDE_ENV_FILE`: its place among those that run for the event is part of the name. */
export function envFile(folder: string, event: string, at: number): string | undefined {
  return WRITERS.some((one) => one === event) ? join(folder, `${event.toLowerCase()}-hook-${at}.sh`) : undefined;
}

/** The order in which such files are read. */
export function inReadingOrder(names: readonly string[]): string[] {
  const rank = (name: string): number => WRITERS.findIndex((event) => name.startsWith(`${event.toLowerCase()}-hook-`));
  const known = names.filter((name) => rank(name) !== -1);
  return known.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true }));
}
