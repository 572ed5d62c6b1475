import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { carriesLimit } from './limit-mark.js';
import { listeningPorts } from './listening-ports.js';
import { carriesMark } from './owner-mark.js';

interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** It is older than we are, so it cannot come from us. Known on Linux only. */
  older?: boolean;
}

/** The letter of a Linux process's state; nothing when there is none. */
function processState(pid: number): string | undefined {
  try {
    return statFields(pid)[0];
  } catch {
    return undefined;
  }
}

/** The state and all that follows it. The command name before it is in brackets and may hold anything. */
function statFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** The field with the time at which the process started, in ticks since the machine did. */
const STARTED = 19;

let ownStart: number | undefined;

function linuxIds(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function linuxTable(pids = linuxIds()): ProcessEntry[] {
  ownStart ??= Number(statFields(process.pid)[STARTED]);
  const entries: ProcessEntry[] = [];
  for (const pid of pids) {
    try {
      const fields = statFields(pid);
      if (fields[0] === 'Z') continue;
      const [parent, group] = [Number(fields[1]), Number(fields[2])];
      entries.push({ pid, parent, group, older: Number(fields[STARTED]) < ownStart });
    } catch {
      // It ended while we looked.
    }
  }
  return entries;
}

/** The folder of each process that is older than we are, by its inode: the next process of the same id has another. */
const foldersOfOlder = new Map<number, number>();

function inodeOf(pid: number): number | undefined {
  try {
    return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.ino;
  } catch {
    return undefined;
  }
}

/** Those that are not older than we are. Most are, and looking at a folder takes a fifth of reading in it. */
function youngerProcesses(): ProcessEntry[] {
  if (process.platform !== 'linux') return posixTable();
  const inodes = new Map<number, number | undefined>();
  for (const pid of linuxIds()) {
    const inode = inodeOf(pid);
    if (inode === undefined || inode !== foldersOfOlder.get(pid)) inodes.set(pid, inode);
  }
  return linuxTable([...inodes.keys()]).filter(({ pid, older }) => {
    const inode = inodes.get(pid);
    if (older && inode !== undefined) foldersOfOlder.set(pid, inode);
    return !older;
  });
}

function posixTable(): ProcessEntry[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
  });
}

function processTable(): ProcessEntry[] {
  return process.platform === 'linux' ? linuxTable() : posixTable();
}

/** A child of ours, by which its descendants are known. */
export interface Origin {
  pid: number;
  owner: string;
  /** Those that were seen before, where no mark can be read. */
  seen?: () => number[];
}

/**
 * Every living process that came from a child of ours: its group, its descendants and, on Linux,
 * whoever carries its owner mark (an agent's shell tool starts sessions of its own) or its limit.
 */
export function livingProcessesOf(child: Origin): number[] {
  const linux = process.platform === 'linux';
  const found = new Set<number>(child.seen?.());
  const byParent = new Map<number, number[]>();
  for (const entry of youngerProcesses()) {
    byParent.set(entry.parent, [...(byParent.get(entry.parent) ?? []), entry.pid]);
    const marked = linux && isMarked(entry.pid, child.owner);
    if (entry.group === child.pid || marked) found.add(entry.pid);
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

function isMarked(pid: number, owner: string): boolean {
  return carriesMark(pid, owner) || carriesLimit(pid, owner);
}

/** A process that another one has started. */
export interface StartedProcess {
  pid: number;
  command: string;
  milliseconds?: number;
}

/** What a process has started itself and has not ended, with the command line and the age of each. */
export function startedBy(parent: number): StartedProcess[] {
  return processTable()
    .filter((entry) => entry.parent === parent)
    .flatMap(({ pid }): StartedProcess[] => {
      const command = commandLine(pid);
      const milliseconds = ageOf(pid);
      return command === undefined ? [] : [{ pid, command, ...(milliseconds === undefined ? {} : { milliseconds }) }];
    });
}

/** Ticks per second, on every Linux that Node runs on. */
const TICKS = 100;

/** For how long a process has run; on Linux only. */
function ageOf(pid: number): number | undefined {
  try {
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    return Math.round((uptime - Number(statFields(pid)[STARTED]) / TICKS) * 1000);
  } catch {
    return undefined;
  }
}

/** Kills all of them, and looks again until none is left: a dying shell may start one more. */
export function killAllOf(child: Origin): number {
  let killed = 0;
  for (let round = 0; round < 10; round++) {
    const pids = livingProcessesOf(child);
    if (pids.length === 0) return killed;
    killed += pids.filter(tryKill).length;
  }
  return killed;
}

/** Kills all processes that carry one of these marks, and returns what they were. Linux only, where marks can be read. */
export function killMarked(owners: readonly string[]): string[] {
  if (process.platform !== 'linux') return [];
  const told: string[] = [];
  for (let round = 0; round < 10; round++) {
    const found = linuxTable().filter(({ pid }) => pid !== process.pid && owners.some((owner) => isMarked(pid, owner)));
    if (found.length === 0) break;
    for (const { pid } of found) {
      const description = describeProcess(pid);
      if (tryKill(pid) && description !== undefined) told.push(description);
    }
  }
  return [...new Set(told)];
}

function tryKill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // It ended by itself.
    return false;
  }
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

/** When a process started, in ticks since the machine did, or by the clock: a later process with the same id has another. */
export function startOf(pid: number): number | undefined {
  try {
    if (process.platform === 'linux') return Number(statFields(pid)[STARTED]);
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env, stdio: 'pipe' });
    return Date.parse(started) / 1000 || undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process is gone for certain. One that we cannot look at counts as there. */
export function isGone(pid: number, start: number | undefined): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // It only waits to be reaped. In a container, nobody may ever do that.
  if (process.platform === 'linux' && processState(pid) === 'Z') return true;
  const now = startOf(pid);
  return start !== undefined && now !== undefined && now !== start;
}

/** Other processes whose program, or a path on whose command line, is inside this folder. */
export function processesUsing(folder: string): number[] {
  const folders = new Set([folder, realpathOr(folder)]);
  return processTable().flatMap(({ pid }) => {
    if (pid === process.pid) return [];
    const words = [programOf(pid) ?? '', commandLine(pid) ?? ''].join(' ');
    return [...folders].some((one) => words.includes(`${one}${sep}`)) ? [pid] : [];
  });
}

function realpathOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The file that a process runs; on Linux only. */
function programOf(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? readlinkSync(`/proc/${pid}/exe`) : undefined;
  } catch {
    return undefined;
  }
}

/** The command line of a process, its id and the ports on which it listens; undefined when it has ended, or is just ending. */
export function describeProcess(pid: number): string | undefined {
  const command = commandLine(pid);
  if (command === undefined) return undefined;
  const ports = listeningPorts(pid);
  return `${command} (${pid}${ports.length === 0 ? '' : `, listens on port ${ports.join(', ')}`})`;
}

/** The words of a process with spaces between them; undefined when it has ended. */
export function commandLine(pid: number): string | undefined {
  try {
    const line =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
        : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return line.trim() === '' ? undefined : line.trim();
  } catch {
    return undefined;
  }
}
