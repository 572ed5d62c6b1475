import { closeSync, lstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { formatHolder, ownHolder } from './holder.js';

/** What a process can own: a process group, all processes with a mark, a folder, a container. */
export type OwnedKind = 'group' | 'owner' | 'folder' | 'container';

/** The end of the name of a register. */
const ENDING = '-register';

let file: string | undefined;
let opened: number | undefined;
let isBroken = false;

/**
 * Notes what this process owns, before it makes it, in a file that outlives us. The reaper clears up behind a killed
 * run; where the reaper was killed, too, the next start reads this file.
 */
export function noteInRegister(line: string): void {
  if (isBroken) return;
  try {
    opened ??= openRegister();
    writeSync(opened, `${line}\n`);
  } catch {
    // The disk is full, or the file is not ours. The reaper still knows.
    isBroken = true;
  }
}

/** In a shared folder, a file of that name could be somebody else's: we must have made it. */
function openRegister(): number {
  file = join(tmpdir(), `understudy-${formatHolder(ownHolder())}${ENDING}`);
  process.once('exit', () => closeRegister());
  return openSync(file, 'ax', 0o600);
}

/** Removes the own register when nothing in it is left; otherwise the reaper does, after what is in it. */
function closeRegister(): void {
  if (opened !== undefined) closeSync(opened);
  if (file === undefined || isBroken) return;
  const { owners, folders, containers } = parseRegister(file);
  if (owners.length + folders.length + containers.length === 0) rmSync(file, { force: true });
}

/** Where the own register is, as soon as there is one. */
export function ownRegister(): string | undefined {
  return file;
}

export function isRegister(name: string): boolean {
  return name.endsWith(ENDING);
}

export interface Registered {
  /** Marks of processes. */
  owners: string[];
  folders: string[];
  /** Names of containers. */
  containers: string[];
}

const NOTHING: Registered = { owners: [], folders: [], containers: [] };

/**
 * What a process that has ended still owned. Groups are left out, because their numbers may belong to others by now.
 * The file is believed only if it is ours, and only about folders that have the name of that process.
 */
export function readRegister(path: string): Registered {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.uid !== process.getuid?.()) return NOTHING;
    const prefix = basename(path).slice(0, -ENDING.length);
    const { owners, folders, containers } = parseRegister(path);
    return {
      owners: owners.filter((owner) => /^[0-9a-f]{16}$/.test(owner)),
      folders: folders.filter((folder) => basename(folder).startsWith(`${prefix}-`)),
      containers: containers.filter((name) => /^[\w.-]+$/.test(name) && name.startsWith(`${prefix}-`)),
    };
  } catch {
    return NOTHING;
  }
}

function parseRegister(path: string): Registered {
  const owned: Record<OwnedKind, Set<string>> = {
    ...{ group: new Set(), owner: new Set(), folder: new Set(), container: new Set() },
  };
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, sign, kind, value] = /^([+-])(group|owner|folder|container) (.+)$/.exec(line) ?? [];
    if (kind === undefined || value === undefined) continue;
    const values = owned[kind as OwnedKind];
    if (sign === '+') values.add(value);
    else values.delete(value);
  }
  return { owners: [...owned.owner], folders: [...owned.folder], containers: [...owned.container] };
}
