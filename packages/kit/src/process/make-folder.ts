import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it, and gives its path. Node's own `recursive` tries for ever, and no signal ends it, where the system says
 * that what is above is missing although it is there: below /proc, and in a folder that was removed.
 */
export function makeFolder(path: string, mode = 0o777): string {
  const whole = resolve(path);
  if (isFolder(whole)) return whole;
  if (dirname(whole) !== whole) makeFolder(dirname(whole), mode);
  try {
    mkdirSync(whole, { mode });
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if (!isFolder(whole)) throw error;
  }
  return whole;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
