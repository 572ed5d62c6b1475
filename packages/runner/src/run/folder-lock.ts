import { join } from 'node:path';
import { type Holder, removeAbandonedLock, UnderstudyError, withLock } from '@understudy/kit';

export interface FolderLockOptions {
  /** We wait for another process no longer than this. */
  waitMs?: number;
  /** Called once with who has the folder, when it is not ours at once. */
  onWait?(message: string): void;
  interrupted?: AbortSignal;
}

/** A few files are copied in less. */
const SHORT_WAIT_MS = 2 * 60_000;

/** A holder in another container, which we cannot see, renews its lock more often than this. */
const LONGEST_SILENCE_MS = 2 * 60_000;

/** Does work in a folder that several runs share, while no other process does its own there. */
export function withFolderLock<T>(folder: string, work: () => Promise<T>, options: FolderLockOptions = {}): Promise<T> {
  const { waitMs = SHORT_WAIT_MS, onWait = () => {}, interrupted } = options;
  const file = lockOf(folder);
  const lockOptions = {
    longestMs: LONGEST_SILENCE_MS,
    waitMs,
    locked: (holder: Holder | undefined) => folderLocked(file, holder),
    onWait: (holder: Holder | undefined) => onWait(`waiting for ${nameOf(holder)}, which uses ${folder}`),
    interrupted,
  };
  return withLock(file, lockOptions, work);
}

/** Removes the lock of a folder if its holder has ended, and returns where it was. */
export function sweepFolderLock(folder: string): string | undefined {
  const file = lockOf(folder);
  return removeAbandonedLock(file) ? file : undefined;
}

function lockOf(folder: string): string {
  return join(folder, '.lock');
}

function folderLocked(file: string, holder: Holder | undefined): UnderstudyError {
  return new UnderstudyError('RUN_FOLDER_LOCKED', `${nameOf(holder)} holds the lock ${file} and does not release it`, {
    fix: `Wait for that run to end, run in another folder, or remove ${file} if no run uses this folder.`,
  });
}

function nameOf(holder: Holder | undefined): string {
  return holder === undefined ? 'another process' : `process ${holder.pid}`;
}
