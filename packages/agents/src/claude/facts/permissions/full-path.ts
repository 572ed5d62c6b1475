import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The file that a tool means: a path may begin with the home. */
export function fullPath(folder: string, file: string): string {
  if (file === '~' || file.startsWith('~/')) return join(homedir(), file.slice(1));
  return resolve(folder, file);
}
