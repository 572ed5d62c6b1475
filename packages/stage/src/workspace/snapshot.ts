import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { describeUnreadable, UnderstudyError, UntrustedFolder } from '@understudy/kit';

/** One thing in a workspace at one moment. Text is kept while it is short enough to show. */
export interface SnapshotEntry {
  kind: 'file' | 'folder' | 'link' | 'other';
  size: number;
  hash: string;
  executable: boolean;
  text?: string;
}

/** A workspace at one moment: relative path to entry, in order of path. */
export type Snapshot = ReadonlyMap<string, SnapshotEntry>;

export interface SnapshotOptions {
  /** Names of folders and files that are left out wherever they are. */
  ignore?: readonly string[];
  /** Texts longer than this are known by their hash alone. */
  longestText?: number;
  /** More entries than this is an error: a verdict on half a workspace is none. */
  mostEntries?: number;
}

/** Names of what is left out wherever it is, unless somebody says otherwise. */
export const UNWATCHED: readonly string[] = ['.git', 'node_modules', '__pycache__'];

const DEFAULTS = {
  ignore: UNWATCHED,
  longestText: 256 * 1024,
  mostEntries: 20_000,
} satisfies Required<SnapshotOptions>;

/** Git reads this many bytes to distinguish text from binary. */
const SNIFFED = 8000;

/** Lists a folder with the content of its files, without git and without following links. */
export function takeSnapshot(folder: string, options: SnapshotOptions = {}): Snapshot {
  const { ignore, longestText, mostEntries } = { ...DEFAULTS, ...options };
  const entries = new Map<string, SnapshotEntry>();
  const files = new UntrustedFolder(folder);
  const visit = (relative: string) => {
    for (const name of unlessGone(() => readdirSync(join(folder, relative)))?.sort() ?? []) {
      if (ignore.includes(name)) continue;
      const path = relative === '' ? name : `${relative}/${name}`;
      if (entries.size >= mostEntries) throw tooLarge(folder, mostEntries);
      const entry = unlessGone(() => entryOf(folder, path, files, longestText));
      if (entry === undefined) continue;
      entries.set(path, entry);
      if (entry.kind === 'folder') visit(path);
    }
  };
  try {
    visit('');
    const [refused] = files.unreadable;
    if (refused !== undefined) throw new Error(describeUnreadable(refused));
  } catch (cause) {
    if (cause instanceof UnderstudyError) throw cause;
    throw new UnderstudyError('WORKSPACE_UNREADABLE', `${folder} cannot be read: ${(cause as Error).message}`, {
      fix: 'Give the user who runs understudy the right to read all files and folders in it.',
      cause,
    });
  }
  return entries;
}

/** What an agent has filled with gigabytes is not read: that would take longer than the turn. */
const LARGEST_READ = 64 * 1024 ** 2;

function largeFile({ size, mtimeMs, ino, mode }: Stats): SnapshotEntry {
  return { kind: 'file', size, hash: sha256(`${size} ${mtimeMs} ${ino}`), executable: (mode & 0o100) !== 0 };
}

/** The agent may still be writing: what is removed while we read was not there. */
function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function entryOf(
  folder: string,
  relative: string,
  files: UntrustedFolder,
  longestText: number,
): SnapshotEntry | undefined {
  const path = join(folder, relative);
  const stats = lstatSync(path);
  if (stats.isDirectory()) return { kind: 'folder', size: 0, hash: '', executable: false };
  if (stats.isSymbolicLink()) {
    const target = readlinkSync(path);
    return { kind: 'link', size: target.length, hash: sha256(target), executable: false, text: target };
  }
  // A pipe or a device would block whoever reads it.
  if (!stats.isFile()) return { kind: 'other', size: 0, hash: '', executable: false };
  if (stats.size > LARGEST_READ) return largeFile(stats);
  const content = files.file(relative)?.bytes;
  // It went, or it became something else, while we looked.
  if (content === undefined) return undefined;
  const entry = {
    kind: 'file' as const,
    size: content.length,
    hash: sha256(content),
    executable: (stats.mode & 0o100) !== 0,
  };
  const showable = content.length <= longestText && !content.subarray(0, SNIFFED).includes(0);
  return showable ? { ...entry, text: content.toString('utf8') } : entry;
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function tooLarge(folder: string, mostEntries: number): UnderstudyError {
  return new UnderstudyError('WORKSPACE_TOO_LARGE', `${folder} holds more than ${mostEntries} files and folders`, {
    fix: `Write fewer files, or write them outside of the project folder. ${DEFAULTS.ignore.join(', ')} do not count.`,
  });
}
