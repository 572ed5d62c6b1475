import { relative } from 'node:path';

/** Whether a path lies in one of the folders, or is one. */
export function isInside(directories: readonly string[], path: string): boolean {
  return directories.some((directory) => {
    const way = relative(directory, path);
    return way === '' || (!way.startsWith('..') && !way.startsWith('/'));
  });
}
