import { randomBytes } from 'node:crypto';
import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatHolder, type Holder, hasEnded, isNear, ownHolder, parseHolder } from './holder.js';
import { makeFolder } from './make-folder.js';

export interface LockOptions {
  /** A lock from another machine that was not renewed for so long was left behind. */
  longestMs: number;
  /** We wait no longer than this; `locked` makes the error. */
  waitMs: number;
  locked: (holder: Holder | undefined) => Error;
  /** Called once, when another process has the lock. */
  onWait: (holder: Holder | undefined) => void;
  interrupted?: AbortSignal | undefined;
}

/** A lock is written at once after its file is made. One that names nobody after this time was left behind by a full disk. */
const LONGEST_UNNAMED_MS = 2_000;

const LOOK_EVERY_MS = 100;

/**
 * Runs `work` while no other process runs its own under the same lock file. The file names its
 * holder; a lock whose holder has ended is taken over, whatever way the holder ended.
 */
export async function withLock<T>(file: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  // By its whole path: in a folder that was removed meanwhile, Node would try a relative one for ever.
  makeFolder(resolve(dirname(file)));
  const deadline = performance.now() + options.waitMs;
  let waiting = false;
  while (!acquire(file, options.longestMs)) {
    if (!waiting) options.onWait(readLock(file)?.holder);
    waiting = true;
    if (performance.now() > deadline) throw options.locked(readLock(file)?.holder);
    await sleep(LOOK_EVERY_MS, undefined, options.interrupted === undefined ? {} : { signal: options.interrupted });
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  const renewal = setInterval(() => renew(file), options.longestMs / 4).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    process.off('exit', release);
    release();
  }
}

function acquire(file: string, longestMs: number): boolean {
  if (create(file)) return true;
  const seen = readLock(file);
  if (seen === undefined) return create(file);
  return isAbandoned(seen, longestMs) && removeLock(file, seen.text) && create(file);
}

/** Removes a lock whose holder has ended, and returns whether there was one. */
export function removeAbandonedLock(file: string): boolean {
  const seen = readLock(file);
  return seen !== undefined && isAbandoned(seen, Number.POSITIVE_INFINITY) && removeLock(file, seen.text);
}

function create(file: string): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(descriptor, formatHolder(ownHolder()));
    return true;
  } catch (error) {
    // The disk is full. An empty lock would stop everybody.
    rmSync(file, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Shows other machines, which cannot see this process, that it is still at work. */
function renew(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Somebody removed it by hand; the work goes on.
  }
}

function isAbandoned({ holder, ageMs }: SeenLock, longestMs: number): boolean {
  if (holder === undefined) return ageMs > LONGEST_UNNAMED_MS;
  return isNear(holder) ? hasEnded(holder) : ageMs > longestMs;
}

interface SeenLock {
  text: string;
  holder: Holder | undefined;
  ageMs: number;
}

/** Nothing when it has just been released. */
function readLock(file: string): SeenLock | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, holder: parseHolder(text), ageMs: Date.now() - statSync(file).mtimeMs };
  } catch {
    return undefined;
  }
}

/** Removes an abandoned lock. If another process was quicker, the file is that one's lock by now, and is put back. */
function removeLock(file: string, text: string): boolean {
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(file, aside);
  } catch {
    return false;
  }
  const isTheSame = readFileSync(aside, 'utf8') === text;
  if (!isTheSame) linkSync(aside, file);
  rmSync(aside);
  return isTheSame;
}
