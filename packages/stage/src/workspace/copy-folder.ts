import {
  chmodSync,
  copyFileSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isInside, makeFolder, UnderstudyError } from '@understudy/kit';

export interface CopyOptions {
  /** Names of files and folders that are not copied, wherever they are. */
  leaveOut?: readonly string[];
}

/**
 * Copies a folder so that nothing in the copy leads back to the original: links within it stay links, and what a link
 * out of it leads to is copied. Pipes, sockets and devices are refused, because reading them could wait for ever.
 */
export function copyFolder(from: string, to: string, { leaveOut = [] }: CopyOptions = {}): void {
  const root = realpathSync(from);
  if (isInside(root, resolve(to))) refuse(to, 'lies inside the folder that is copied to it');
  copyTree({ root, to, leaveOut }, root, to, [root]);
}

interface Copy {
  root: string;
  to: string;
  leaveOut: readonly string[];
}

/** `above` are the folders that are being copied now: a link to one of them would be copied for ever. */
function copyTree(copy: Copy, from: string, to: string, above: readonly string[]): void {
  const { mode } = statSync(from);
  makeFolder(to);
  for (const name of readdirSync(from)) {
    if (!copy.leaveOut.includes(name)) copyEntry(copy, join(from, name), join(to, name), above);
  }
  chmodSync(to, mode);
}

function copyEntry(copy: Copy, from: string, to: string, above: readonly string[]): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) copyLink(copy, from, to, above);
  else if (stats.isDirectory()) copyTree(copy, from, to, [...above, from]);
  else copyFile(copy, from, to, stats);
}

function copyFile({ root }: Copy, from: string, to: string, stats: Stats): void {
  if (!stats.isFile()) {
    throw new UnderstudyError('WORKSPACE_SPECIAL_FILE', `${from} is ${kindOf(stats)}, which cannot be copied`, {
      fix: 'Remove it from the folder.',
    });
  }
  if (from.endsWith('/.git')) refuseForeignRepository(root, from);
  copyFileSync(from, to);
}

function copyLink(copy: Copy, from: string, to: string, above: readonly string[]): void {
  const written = readlinkSync(from);
  const stays = staysWithin(copy.root, dirname(from), written);
  const target = targetOf(from);
  if (target === undefined) {
    if (!stays) refuse(from, `is a link to ${written}, which is outside of the folder and does not exist`);
    symlinkSync(written, to);
  } else if (isInside(copy.root, target)) {
    const inCopy = join(copy.to, relative(copy.root, target));
    symlinkSync(stays ? written : relative(dirname(to), inCopy) || '.', to);
  } else if (above.some((folder) => isInside(target, folder))) {
    refuse(from, `is a link to ${target}, which it lies in`);
  } else copyEntry(copy, target, to, above);
}

/** Whether the written path never leaves the root, not even to come back: in the copy, the way back is another one. */
function staysWithin(root: string, folder: string, written: string): boolean {
  const climb = /^(?:\.\.?\/)*(?:\.\.$)?/.exec(written)?.[0] ?? '';
  const rest = written.slice(climb.length);
  return !isAbsolute(written) && isInside(root, resolve(folder, climb)) && !rest.split('/').includes('..');
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}

/** The `.git` file of a worktree or submodule: commits in the copy would change the original repository. */
function refuseForeignRepository(root: string, file: string): void {
  const folder = /^gitdir: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (folder === undefined || isInside(root, resolve(dirname(file), folder.trim()))) return;
  refuse(file, 'belongs to a repository outside of the folder, so commits of an agent would change that one');
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

function refuse(path: string, why: string): never {
  throw new UnderstudyError('WORKSPACE_PATH_REFUSED', `${path} ${why}`, {
    fix: 'Copy a folder without it, or put a plain file or folder there.',
  });
}
