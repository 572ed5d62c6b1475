/** Process groups that tools and hooks have started, and that may outlive what started them. */
const groups = new Set<number>();
let watching = false;

/** Remembers a group: whatever is left of it when the program ends is ended too. */
export function adoptGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  groups.add(pid);
  if (watching) return;
  watching = true;
  process.once('exit', () => groups.forEach(killGroup));
}

/** Ends all processes of a group, at once. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

let listening = false;

/** For the program, before it starts a group: a signal then ends it in order, and its groups with it. */
export function endInOrderOnSignals(): void {
  if (listening) return;
  listening = true;
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  process.once('SIGHUP', () => process.exit(129));
}
