import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UnderstudyError } from '../errors.js';

/** How to start a program of this package with this Node, whether this code runs from the sources or from a bundle. */
export function ownProgram(file: string): string[] {
  return [process.execPath, ownFile(join('bin', file))];
}

/** A file that the build of this package makes, by its path in `dist`. */
export function ownFile(file: string): string {
  const found = findOwnFile(file);
  if (found !== undefined) return found;
  throw new UnderstudyError('PROGRAM_NOT_BUILT', `${file} is missing`, { fix: 'Build it first: npm run build.' });
}

/** The same for a file that not every build makes. */
export function findOwnFile(file: string): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    for (const path of [join(folder, file), join(folder, 'dist', file)]) if (existsSync(path)) return path;
  }
  return undefined;
}
