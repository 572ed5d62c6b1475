import { cpSync, lstatSync, mkdirSync, readlinkSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { createScratch, isInside, refuseLinks } from '@understudy/kit';
import type { Entry } from './entry.js';
import { withFolderLock } from './folder-lock.js';
import type { RunFolder } from './run-folder.js';

/** The folder in which an entry is played. */
export interface EntryFolder {
  path: string;
  /** Keeps it for a look, and returns where it is. */
  keep(): Promise<string>;
  /** Keeps its logs, as copies if the folder is kept, too, and returns where they are, from the folder of the run. */
  keepLogs?(copies: boolean): string | undefined;
  remove(): Promise<void>;
}

/** A scratch folder for each entry; what is kept is copied to `artifacts`. What an earlier run kept there goes. */
export function scratchFolders(artifacts: string, run?: RunFolder): (entry: Entry) => EntryFolder {
  return (entry) => {
    const scratch = createScratch('rehearsal');
    return {
      path: scratch.path,
      async keep() {
        refuseLinks(dirname(artifacts), artifacts);
        const folder = join(artifacts, folderNameOf(entry));
        // Another run may keep the same entry at this moment.
        await withFolderLock(artifacts, async () => {
          rmSync(folder, { recursive: true, force: true });
          mkdirSync(folder, { mode: 0o700 });
          copyKept(scratch.path, folder);
        });
        return folder;
      },
      keepLogs: (copies) => run?.keepLogs(join(scratch.path, 'artifacts'), folderNameOf(entry), copies),
      remove: () => scratch.remove(),
    };
  };
}

/** An agent may have filled its project with gigabytes: such files are only named. */
const LARGEST_KEPT = 256 * 1024 ** 2;

function copyKept(from: string, to: string): void {
  const left: string[] = [];
  const isKept = (path: string) => {
    const stats = lstatSync(path);
    if (stats.isFile() ? stats.size <= LARGEST_KEPT : stats.isDirectory() || leadsInside(from, path, stats))
      return true;
    left.push(
      `${relative(from, path)}: ${stats.isFile() ? `${stats.size} bytes` : 'no file, or a link to elsewhere'}\n`,
    );
    return false;
  };
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isKept });
  if (left.length > 0) writeFileSync(join(to, 'too-large-to-keep.txt'), left.join(''));
}

/** A link to a file of the user would be followed by whoever uploads what is kept. */
function leadsInside(root: string, path: string, stats: Stats): boolean {
  return stats.isSymbolicLink() && isInside(root, resolve(dirname(path), readlinkSync(path)));
}

/** Rounds of one entry must not share a folder. */
export function folderNameOf({ folderName, round }: Pick<Entry, 'folderName' | 'round'>): string {
  return round > 1 ? `${folderName}.round-${round}` : folderName;
}
