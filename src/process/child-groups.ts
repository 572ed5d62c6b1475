/** Process groups that tools and hooks have started. They may outlive the tool or hook. */
const groups = new Set<number>();
let watching = false;

/** Remembers a group: what is left of it when the program ends is killed. */
export function adoptGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  groups.add(pid);
  if (watching) return;
  watching = true;
  process.once('exit', () => groups.forEach(killGroup));
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
