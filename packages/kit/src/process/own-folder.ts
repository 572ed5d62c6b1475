import { lstatSync, openSync, rmSync } from 'node:fs';
import { UnderstudyError } from '../errors.js';
import { writePieces } from './write-whole.js';

/**
 * Our folders in a project of a user (`.understudy`, `.e2e-tests`) have fixed names, and we remove and overwrite what is
 * in them. A project could have a link of that name to anything, so links are never followed.
 */
export function refuseLinks(...folders: readonly string[]): void {
  for (const folder of folders) {
    if (!isLink(folder)) continue;
    throw new UnderstudyError(
      'OWN_FOLDER_IS_LINK',
      `${folder} is a link, and understudy does not write through links`,
      {
        fix: 'Remove the link. Understudy then makes a folder there.',
      },
    );
  }
}

/** Writes a file in one of our folders, whole or in pieces; a link of its name is replaced, not followed. */
export function writeOwnFile(file: string, text: string | Iterable<string>): void {
  if (isLink(file)) rmSync(file);
  writePieces(openSync(file, 'w', 0o600), text);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
