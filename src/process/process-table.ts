import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
}

/** Children carry this variable, so that those who left their process group are still found. */
export const OWNER_VARIABLE = 'UNDERSTUDY_OWNER';

/** The letter of a Linux process's state; nothing when there is none. */
function processState(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2)[0];
  } catch {
    return undefined;
  }
}

function linuxTable(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      // The command name is in brackets and may hold anything, so the fields start after the last one.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z') continue;
      entries.push({ pid, parent: Number(fields[1]), group: Number(fields[2]) });
    } catch {
      // It ended while we looked.
    }
  }
  return entries;
}

function posixTable(): ProcessEntry[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
  });
}

function carriesOwner(pid: number, owner: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${OWNER_VARIABLE}=${owner}`);
  } catch {
    return false;
  }
}

/**
 * Every living process that came from a child of ours: its group, its descendants and, on Linux,
 * whoever carries its owner mark (an agent's shell tool starts sessions of its own).
 */
export function livingProcessesOf(child: { pid: number; owner: string }): number[] {
  const linux = process.platform === 'linux';
  const table = linux ? linuxTable() : posixTable();
  const found = new Set<number>();
  const byParent = new Map<number, number[]>();
  for (const entry of table) {
    byParent.set(entry.parent, [...(byParent.get(entry.parent) ?? []), entry.pid]);
    if (entry.group === child.pid || (linux && carriesOwner(entry.pid, child.owner))) found.add(entry.pid);
  }
  const queue = [child.pid, ...found];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    for (const descendant of byParent.get(pid) ?? []) {
      if (found.has(descendant)) continue;
      found.add(descendant);
      queue.push(descendant);
    }
  }
  found.delete(process.pid);
  return [...found];
}

/** Kills all of them, and looks again until none is left: a dying shell may start one more. */
export function killAllOf(child: { pid: number; owner: string }): number {
  let killed = 0;
  for (let round = 0; round < 10; round++) {
    const pids = livingProcessesOf(child);
    if (pids.length === 0) return killed;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
        killed++;
      } catch {
        // It ended by itself.
      }
    }
  }
  return killed;
}

/** Is there a process of this id that runs? One that we may not signal counts, one that only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return ![undefined, 'Z'].includes(processState(pid));
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
