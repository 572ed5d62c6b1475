import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { UnderstudyError } from '../errors.js';
import { writePieces } from './write-whole.js';

/** So much of a file is read, and so many names of a folder: nobody may fill our memory. */
const LONGEST = 64 * 1024 ** 2;
const MOST_NAMES = 20_000;

/** Something that was not read, or not to its end, and why. */
export interface Unreadable {
  path: string;
  reason: string;
}

export function describeUnreadable({ path, reason }: Unreadable): string {
  return `${path} ${reason}`;
}

/** A piece of a file, and the facts of the file when it was read. */
export interface Piece {
  bytes: Buffer;
  size: number;
  mtimeMs: number;
}

interface Opened {
  descriptor: number;
  stats: Stats;
  /** Of a folder: a path to what is in it. By its name it could be another one now, so it goes by the descriptor. */
  here: string;
}

/**
 * A folder of ours in which an agent, a program or a hook may write. Anything may lie there in the place of a file that we
 * read back: a FIFO would block this whole process, a link would show us files of the user, a device has no end. So only
 * regular files are read, up to a length, and nothing goes through a link below the folder. What was refused is
 * remembered: whoever judges by these files says so.
 */
export class UntrustedFolder {
  readonly #root: string;
  readonly #unreadable = new Map<string, string>();
  /** The folder on the way to which there was no link when we last looked. */
  #checked: string | undefined;

  /** The folder itself may have become a link; what is above it is not theirs. */
  constructor(root: string) {
    this.#root = join(realPath(dirname(root)), basename(root));
  }

  /** What was refused so far, each path once. */
  get unreadable(): Unreadable[] {
    return [...this.#unreadable].map(([path, reason]) => ({ path, reason }));
  }

  /** The text of a file; undefined if it is not there, or is refused. */
  text(path: string, longest = LONGEST): string | undefined {
    return this.file(path, longest)?.bytes.toString('utf8');
  }

  /** A whole file. One that is too long is cut, and that counts as refused. */
  file(path: string, longest = LONGEST): Piece | undefined {
    const piece = this.piece(path, { longest });
    if (piece !== undefined && piece.size > longest)
      this.refuse(path, `is larger than ${longest / 1024 ** 2} MB, and the rest was not read`);
    return piece;
  }

  /** A piece of a file, from a position. That there is more is the affair of the caller. */
  piece(path: string, { from = 0, longest = LONGEST } = {}): Piece | undefined {
    return this.#look(path, 'file', ({ descriptor, stats: { size, mtimeMs } }) => {
      const room = Buffer.allocUnsafe(Math.max(0, Math.min(size - from, longest)));
      let length = 0;
      for (let read = -1; read !== 0 && length < room.length; length += read)
        read = readSync(descriptor, room, length, room.length - length, from + length);
      return { bytes: room.subarray(0, length), size, mtimeMs };
    });
  }

  /** What lies in a folder, sorted by name; nothing if it is not there, or is refused. */
  list(path = ''): Dirent[] {
    const found = this.#look(path, 'folder', ({ here }) => {
      const entries: Dirent[] = [];
      const folder = opendirSync(here, { bufferSize: 256 });
      try {
        for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
          if (entries.length >= MOST_NAMES) {
            this.refuse(path, `holds more than ${MOST_NAMES} names`);
            break;
          }
          entries.push(entry);
        }
      } finally {
        folder.closeSync();
      }
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    });
    return found ?? [];
  }

  refuse(path: string, reason: string): void {
    if (!this.#unreadable.has(path)) this.#unreadable.set(path === '' ? this.#root : path, reason);
  }

  /** Writes a file whole. What somebody put in its place, or in the place of a folder on the way, goes. */
  write(path: string, content: string | Uint8Array, mode = 0o644): void {
    const folder = dirname(path) === '.' ? '' : dirname(path);
    this.makeFolder(folder);
    const isWritten = this.#open(folder, 'folder', ({ here }) => {
      const file = join(here, basename(path));
      const unfinished = `${file}.${process.pid}.new`;
      rmSync(unfinished, { recursive: true, force: true });
      writePieces(openSync(unfinished, 'wx', mode), content);
      if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) rmSync(file, { recursive: true, force: true });
      renameSync(unfinished, file);
      return true;
    });
    if (isWritten === true) return;
    throw new UnderstudyError('OWN_FOLDER_IS_LINK', `${join(this.#root, folder)} was replaced while we wrote into it`, {
      fix: 'Start it again, with `--isolation sandbox`.',
    });
  }

  /** Makes a folder and those above it. */
  makeFolder(path: string): void {
    for (const place of this.#way(path)) {
      if (lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) continue;
      rmSync(place, { force: true });
      mkdirSync(place, { recursive: true });
    }
  }

  /** The folder itself, all folders below it to a path, and the path. */
  #way(path: string): string[] {
    const parts = path === '' ? [] : path.split('/');
    return [[], ...parts].map((_, depth) => join(this.#root, ...parts.slice(0, depth)));
  }

  #look<T>(path: string, wanted: 'file' | 'folder', use: (opened: Opened) => T): T | undefined {
    try {
      return this.#open(path, wanted, use);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // It went while we looked.
      if (code !== 'ENOENT' && code !== 'ENOTDIR')
        this.refuse(path, code === 'ELOOP' ? 'is a link' : `cannot be read (${code})`);
      return undefined;
    }
  }

  /** Opens what is there if it is what is wanted, and closes it. */
  #open<T>(path: string, wanted: 'file' | 'folder', use: (opened: Opened) => T): T | undefined {
    if (/(?:^|\/)\.\.(?:\/|$)|\0/.test(path)) return this.#none(path, 'leads out of its folder');
    const place = join(this.#root, path);
    // Many files of one folder are read one after the other. Should it be a link by now, `isAt` sees it.
    const way = dirname(place) === this.#checked ? [place] : this.#way(path);
    // Looked at before it is opened: to open a device can do something, and where a link leads, a file system may hang.
    for (const one of way) {
      const stats = lstatSync(one, { throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      const kind = kindOf(stats);
      if (kind === (one === place ? wanted : 'folder')) continue;
      // Below a file there is nothing.
      return kind === 'file' ? undefined : this.#none(relative(this.#root, one), `is a ${kind}`);
    }
    this.#checked = dirname(place);
    const descriptor = openSync(place, constants.O_RDONLY | NEVER_WAITS | (wanted === 'folder' ? A_FOLDER : 0));
    try {
      const stats = fstatSync(descriptor);
      const kind = kindOf(stats);
      if (kind !== wanted) return this.#none(path, `is a ${kind}`);
      if (!isAt(descriptor, stats, place)) return this.#none(path, 'goes through a link');
      return use({ descriptor, stats, here: isLinux ? `/proc/self/fd/${descriptor}` : place });
    } finally {
      closeSync(descriptor);
    }
  }

  #none(path: string, reason: string): undefined {
    this.refuse(path, reason);
  }
}

const isLinux = process.platform === 'linux';
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY: A_FOLDER = 0 } = constants;
const NEVER_WAITS = O_NOFOLLOW | O_NONBLOCK;

function kindOf(stats: Stats): string {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFIFO()) return 'FIFO';
  return stats.isSocket() ? 'socket' : 'device';
}

/** Whether what was opened lies at its path: a folder on the way may have become a link after we looked. */
function isAt(descriptor: number, { dev, ino }: Stats, path: string): boolean {
  if (isLinux) return [path, `${path} (deleted)`].includes(readlinkSync(`/proc/self/fd/${descriptor}`));
  const found = lstatSync(path);
  return found.dev === dev && found.ino === ino && realpathSync(path) === path;
}

/** Of a path that is not there yet: that of the part which is. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path));
  }
}
