import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatHolder, hasEnded, ownHolder, parseHolder } from '../process/holder.js';

const PREFIX = 'understudy-';

let root: string | undefined | null = null;
let made = 0;

/**
 * The control group in which we may make groups that count processes. Linux has a limit of processes per user, too, but
 * does not apply it to root.
 */
export function processGroups(): string | undefined {
  if (root === null) {
    root = findGroups();
    if (root !== undefined) sweep(root);
  }
  return root;
}

/** Makes a group of at most so many processes; whoever writes its id into `cgroup.procs` is in it. */
export function makeProcessGroup(most: number): string | undefined {
  const groups = processGroups();
  if (groups === undefined) return undefined;
  const folder = join(groups, `${PREFIX}${formatHolder(ownHolder())}-${++made}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pids.max'), String(most));
    return folder;
  } catch {
    removeProcessGroup(folder);
    return undefined;
  }
}

/** How often a process of the group wanted one more than it may have. */
export function refusedProcesses(folder: string): number {
  try {
    return Number(/^max (\d+)/m.exec(readFileSync(join(folder, 'pids.events'), 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export function removeProcessGroup(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody in it is still dying: the next start of ours removes it.
  }
}

function findGroups(): string | undefined {
  try {
    const line = readFileSync('/proc/self/cgroup', 'utf8')
      .split('\n')
      .map((text) => text.split(':'))
      .find(([, controllers]) => controllers?.split(',').includes('pids'));
    const path = line?.slice(2).join(':');
    if (path === undefined) return undefined;
    const folder = join('/sys/fs/cgroup/pids', path);
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return undefined;
  }
}

/** Groups of runs that were killed. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const holder = parseHolder(name.slice(PREFIX.length).replace(/-\d+$/, ''));
    if (holder !== undefined && hasEnded(holder)) removeProcessGroup(join(folder, name));
  }
}
