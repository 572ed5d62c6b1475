import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';

/** Writes a file by a rename, so that no reader ever sees half of it. */
export function writeWhole(file: string, text: string | Iterable<string>, mode = 0o600): void {
  const unfinished = `${file}.${process.pid}.new`;
  try {
    makeFolder(dirname(file));
    writePieces(openSync(unfinished, 'w', mode), text);
    renameSync(unfinished, file);
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
}

export function removeIfPossible(path: string, { recursive = false } = {}): void {
  try {
    rmSync(path, { recursive, force: true });
  } catch {
    // Then the new one cannot be written either, and that is told.
  }
}

/** Writes a text, or one piece after the other, to an open file, and closes it. */
export function writePieces(file: number, text: string | Iterable<string>): void {
  try {
    for (const piece of typeof text === 'string' ? [text] : text) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}
