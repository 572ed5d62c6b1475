import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from './make-folder.js';

/** As any program makes a file: the user's mask takes from it. */
export const USER_FILE = 0o666;

/**
 * Writes a file by a rename, so that no reader ever sees half of it, and what was there stays until all of the new one is
 * on the disk. It keeps its mode. A link is replaced, not followed: what it leads to is not the file that was named. Only
 * `/dev/stdout` and its like are written to as they are.
 */
export function writeWhole(file: string, text: string | Iterable<string>, mode = 0o600): void {
  if (/^\/(?:dev|proc)\//.test(resolve(file)) && existsSync(file)) {
    writePieces(openSync(file, 'w'), text);
    return;
  }
  const before = modeOf(file);
  const unfinished = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.new`;
  try {
    makeFolder(dirname(file));
    const opened = openSync(unfinished, 'wx', mode);
    writePieces(opened, text, () => {
      // What was a program stays one, and what is to be one becomes it.
      if (before !== undefined) fchmodSync(opened, before | (mode & 0o111));
      fsyncSync(opened);
    });
    renameSync(unfinished, file);
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
}

function modeOf(file: string): number | undefined {
  try {
    return statSync(file).mode & 0o777;
  } catch {
    return undefined;
  }
}

export function removeIfPossible(path: string, { recursive = false } = {}): void {
  try {
    rmSync(path, { recursive, force: true });
  } catch {
    // Then the new one cannot be written either, and that is an error.
  }
}

/** Writes a text, or one piece after the other, to an open file, and closes it. */
export function writePieces(
  file: number,
  text: string | Uint8Array | Iterable<string>,
  onWritten: () => void = () => {},
): void {
  try {
    const pieces = typeof text === 'string' || text instanceof Uint8Array ? [text] : text;
    for (const piece of pieces) writeFileSync(file, piece);
    onWritten();
  } finally {
    closeSync(file);
  }
}
