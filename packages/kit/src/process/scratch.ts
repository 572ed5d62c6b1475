import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { removeContainers } from './containers.js';
import { formatHolder, hasEnded, ownHolder, parseHolder } from './holder.js';
import { killMarked } from './process-table.js';
import { reapIfLeft, releaseFromReaper } from './reaper.js';
import { isRegister, type Registered, readRegister } from './register.js';

/** A folder that lives as long as it is needed, and never longer than our process. */
export interface Scratch {
  path: string;
  remove(): Promise<void>;
}

/** `understudy-PID-MACHINE.START-purpose-RANDOM`: enough to know later whether its owner still runs. */
const NAME = /^understudy-(\d+-[0-9a-f]{6}\.[0-9a-z]*)-/;

/** Whether a path is in a scratch folder, of whichever process. */
export function isScratch(path: string): boolean {
  return path.split(sep).some((name) => NAME.test(name));
}

let swept = false;

/** Makes a scratch folder. The first one of a process also removes those of processes that are gone. */
export function createScratch(purpose: string, root: string = tmpdir()): Scratch {
  if (!swept) {
    swept = true;
    // Nobody waits for it: a folder that cannot be removed now is tried again by the next run.
    sweepScratch().catch(() => {});
  }
  // The real path: CLIs compare folders by it, and a symbolic temp folder would make two of one.
  const random = randomBytes(6).toString('base64url').replace(/\W/g, '0').slice(0, 6);
  const path = join(realpathSync(root), `understudy-${formatHolder(ownHolder())}-${purpose}-${random}`);
  reapIfLeft('folder', path);
  mkdirSync(path, { mode: 0o700 });
  let isReported = true;
  return {
    path,
    // Asynchronously: some file systems make every rmdir wait, and other work would wait with it.
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
      if (isReported) releaseFromReaper('folder', path);
      isReported = false;
    },
  };
}

/**
 * CLIs make Unix sockets in their temp folder. A system allows about 100 bytes for a socket's path;
 * where a path is longer, Claude Code puts its socket into /tmp and leaves it there.
 */
const LONGEST_TEMP_ROOT = 40;

/** The path of such a folder, wherever it stands in a text. */
export const TEMP_FOLDER = /\/[^\s"'=:]*understudy-\d+-[0-9a-f]{6}\.[0-9a-z]*-t-\w{6}/g;

/** A temp folder for one CLI, as short as possible. It goes with the CLI, and with it whatever the CLI forgot there. */
export function createTempFolder(root: string = tmpdir()): Scratch {
  return createScratch('t', Buffer.byteLength(root) > LONGEST_TEMP_ROOT ? '/tmp' : root);
}

/** What was left by processes that are gone. */
export interface Leftovers {
  /** Command lines of processes that were ended. */
  processes: string[];
  /** Names of containers that were removed. */
  containers: string[];
  /** Folders and registers that were removed. */
  folders: string[];
}

/**
 * Clears up behind processes that are gone: ends the processes that they had started, and removes their folders. The
 * reaper of a killed run does that; this is for runs whose reaper was killed, too.
 */
export async function sweepScratch(roots: readonly string[] = scratchRoots()): Promise<Leftovers> {
  const dead = roots.flatMap((root) =>
    namesIn(root)
      .filter(isLeftover)
      .map((name) => join(root, name)),
  );
  const registers = dead.filter(isRegister);
  const owned = registers.map(readRegister);
  // Processes first: they could write into a folder while it is removed. Registers last: they say what is still to do.
  const processes = endMarked(owned);
  const containers = await removeContainers(owned.flatMap((each) => each.containers));
  const folders = [...new Set([...dead, ...owned.flatMap((each) => each.folders)])].filter((path) => !isRegister(path));
  await Promise.all(folders.map(remove));
  await Promise.all(registers.map(remove));
  return { processes, containers, folders };
}

/** Where scratch folders are. */
function scratchRoots(): string[] {
  return [...new Set([realpathSync(tmpdir()), realpathSync('/tmp')])];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

function endMarked(registered: readonly Registered[]): string[] {
  const owners = registered.flatMap((each) => each.owners);
  return owners.length === 0 ? [] : killMarked(owners);
}

function isLeftover(name: string): boolean {
  const holder = parseHolder(NAME.exec(name)?.[1] ?? '');
  return holder !== undefined && hasEnded(holder);
}
