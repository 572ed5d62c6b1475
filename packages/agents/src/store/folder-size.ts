import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The bytes of all files below a folder. What comes or goes meanwhile may be missing. */
export function folderSize(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + folderSize(path);
      return sum + (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0);
    }, 0);
  } catch {
    return 0;
  }
}
