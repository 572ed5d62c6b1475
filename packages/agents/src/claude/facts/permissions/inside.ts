import { isInside } from '@understudy/kit';

/** Whether a path lies in one of the folders, or is one. */
export function isInsideAny(directories: readonly string[], path: string): boolean {
  return directories.some((directory) => isInside(directory, path));
}
