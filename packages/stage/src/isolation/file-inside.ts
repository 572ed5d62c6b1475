import { closeSync, constants, existsSync, fstatSync, openSync, utimesSync } from 'node:fs';

/** A file in a sandbox, by its path there and by what the kernel calls it. */
export interface FileInside {
  path: string;
  device: number;
  inode: number;
}

/** Both times of a watched file that nobody read or wrote. */
export const UNTOUCHED = 1;

interface Seen {
  /** Times in seconds; none of them if it is not there any more. */
  times: { read: number; written: number };
  /** The kernel notes only the first reading. Now it notes the next one, too. */
  isRearmed: boolean;
}

/** Opens a path only to go on from there, or to look at it. Node has no name for it. */
const O_PATH = 0x200000;

/**
 * When a file in a sandbox was read and written. The command inside may put links in its place, and in the place of the
 * folders above it, which would lead to the files of this machine: no link is followed, and no other file is touched.
 */
export function lookInside(pid: number, file: FileInside): Seen | undefined {
  const root = `/proc/${pid}/root`;
  let opened: number | undefined;
  try {
    opened = openInside(root, file.path);
    const { dev, ino, atimeMs, mtimeMs } = fstatSync(opened);
    if (dev !== file.device || ino !== file.inode) return gone(root);
    const times = { read: Math.floor(atimeMs / 1000), written: Math.floor(mtimeMs / 1000) };
    return { times, isRearmed: times.read !== UNTOUCHED && rearm(opened) };
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? gone(root) : undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** When the process has ended, its root is another one. */
function gone(root: string): Seen | undefined {
  return existsSync(`${root}/`) ? { times: { read: 0, written: 0 }, isRearmed: false } : undefined;
}

function openInside(root: string, path: string): number {
  let at = openSync(root, O_PATH | constants.O_DIRECTORY);
  for (const name of path.split('/').filter((part) => part !== '')) {
    const folder = at;
    try {
      // A link is opened itself, and nothing is below it.
      at = openSync(`/proc/self/fd/${folder}/${name}`, O_PATH | constants.O_NOFOLLOW);
    } finally {
      closeSync(folder);
    }
  }
  return at;
}

function rearm(opened: number): boolean {
  try {
    utimesSync(`/proc/self/fd/${opened}`, UNTOUCHED, UNTOUCHED);
    return true;
  } catch {
    return false;
  }
}
