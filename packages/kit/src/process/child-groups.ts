import { killAllOf } from './process-table.js';

/** Process groups that tools and hooks have started, and their marks. They may outlive the tool or hook. */
const groups = new Map<number, string | undefined>();
let watching = false;

/** Remembers a group: what is left of it when the program ends is killed; with an owner mark, all that carry it. */
export function adoptGroup(pid: number | undefined, owner?: string): void {
  if (pid === undefined) return;
  groups.set(pid, owner);
  if (watching) return;
  watching = true;
  process.once('exit', () => {
    for (const [group, mark] of groups) {
      if (mark === undefined) killGroup(group);
      else killAllOf({ pid: group, owner: mark });
    }
  });
}

/** Kills all processes of a group. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

let listening = false;

/** Makes a signal end the program by `process.exit`, so that the groups it has started end too. */
export function exitOnSignals(): void {
  if (listening) return;
  listening = true;
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}
