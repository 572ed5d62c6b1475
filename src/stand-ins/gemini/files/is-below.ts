import { isAbsolute, relative } from 'node:path';

/** Whether a path is a folder or below it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
