import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { isGone, startOf } from './process-table.js';

/** A process that owns a file or folder which other processes see, too. */
export interface Holder {
  pid: number;
  /** When it started: a later process may get the same id. */
  start?: number;
  /** Process ids count within one machine or container; several may share a folder. */
  machine: string;
}

let own: Holder | undefined;

/** This process. */
export function ownHolder(): Holder {
  if (own === undefined) {
    const start = startOf(process.pid);
    own = { pid: process.pid, machine: thisMachine(), ...(start === undefined ? {} : { start }) };
  }
  return own;
}

/** Writes it as `PID-MACHINE.START`, which may be part of a file name. */
export function formatHolder({ pid, machine, start }: Holder): string {
  return `${pid}-${machine}.${start?.toString(36) ?? ''}`;
}

/** Reads such a text; nothing when it is something else. */
export function parseHolder(text: string): Holder | undefined {
  const [, pid, machine, start] = /^(\d+)-([0-9a-f]{6})\.([0-9a-z]*)$/.exec(text) ?? [];
  if (pid === undefined || machine === undefined) return undefined;
  return { pid: Number(pid), machine, ...(start ? { start: Number.parseInt(start, 36) } : {}) };
}

/** Whether it runs on this machine, so that we can look at it. */
export function isNear({ machine }: Holder): boolean {
  return machine === thisMachine();
}

/** Whether it has ended. Of another machine nobody here knows. */
export function hasEnded(holder: Holder): boolean {
  return isNear(holder) && isGone(holder.pid, holder.start);
}

let machine: string | undefined;

function thisMachine(): string {
  machine ??= createHash('sha256').update(`${hostname()} ${pidNamespace()}`).digest('hex').slice(0, 6);
  return machine;
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
