import { tmpdir } from 'node:os';
import { type ErrorCode, UnderstudyError } from '../errors.js';
import { shorten } from '../terminal/cut.js';

/** Paths on Linux have at most 4096 bytes; a longer one would only bury the message. */
const LONGEST_PLACE = 4096;

interface Kind {
  code: ErrorCode;
  /** What the system says, in plain words. */
  words: string;
  fix(path: string): string;
}

const READ_ONLY: Kind = {
  code: 'READ_ONLY',
  words: 'the file system is read-only',
  fix: (path) => `Run it in a folder that can be written to, or make the file system of ${path} writable.`,
};
const NO_PERMISSION: Kind = {
  code: 'NO_PERMISSION',
  words: 'there is no permission',
  fix: (path) => `Give this user the right to read and write ${path}, or use another folder.`,
};
const NOT_A_FOLDER: Kind = {
  code: 'NOT_A_FOLDER',
  words: 'a file has the name of a folder',
  fix: (path) => `Rename or remove the file in the way of ${path}.`,
};
const NO_FOLDER_HERE: Kind = {
  code: 'NO_FOLDER_HERE',
  words: 'the system allows no new folder there',
  fix: (path) => `Use another place than ${path}.`,
};
const DISK_FULL: Kind = {
  code: 'DISK_FULL',
  words: 'the disk is full',
  fix: (path) => `Free space on the disk of ${path}. Scratch folders are in ${tmpdir()} (TMPDIR).`,
};
const TOO_MANY_FILES: Kind = {
  code: 'TOO_MANY_OPEN_FILES',
  words: 'too many files are open',
  fix: () => 'Raise the limit, such as `ulimit -n 4096`, or use fewer --workers.',
};

const NAME_TOO_LONG: Kind = {
  code: 'NAME_TOO_LONG',
  words: 'a name or a command is too long',
  fix: () => 'Use a shorter one. A name has at most 255 bytes, and an argument of a command at most 128 KB.',
};
const NUL_IN_NAME: Kind = {
  code: 'NUL_IN_NAME',
  words: 'a name or an argument has a NUL character in it',
  fix: () => 'Remove the character, which is written as \\u0000 or \\0.',
};

const KINDS: Readonly<Record<string, Kind>> = {
  EROFS: READ_ONLY,
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  ENOTDIR: NOT_A_FOLDER,
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  EMFILE: TOO_MANY_FILES,
  ENFILE: TOO_MANY_FILES,
  ENAMETOOLONG: NAME_TOO_LONG,
  E2BIG: NAME_TOO_LONG,
  ERR_INVALID_ARG_VALUE: NUL_IN_NAME,
};

/** Elsewhere EEXIST is about a file that must be new, and ENOENT about one that is missing. */
const KINDS_OF_MKDIR: Readonly<Record<string, Kind>> = { EEXIST: NOT_A_FOLDER, ENOENT: NO_FOLDER_HERE };

/**
 * Any error as one of ours, for the doors (command line, results, MCP, Vitest). An error of the operating system gets a
 * code of its own with the path and a fix; `path` is where it happened, if the system does not say. The rest is
 * `INTERNAL`.
 */
export function asUnderstudyError(error: unknown, path?: string): UnderstudyError {
  if (error instanceof UnderstudyError) return error;
  const { code, syscall, path: own, message } = describe(error);
  if (code === undefined) {
    return new UnderstudyError('INTERNAL', `this is a fault in understudy: ${message}`, { cause: error });
  }
  const kind = (syscall === 'mkdir' ? KINDS_OF_MKDIR[code] : undefined) ?? KINDS[code];
  if (kind === undefined) {
    const text = message.includes(code) ? message : `${code}: ${message}`;
    return new UnderstudyError('SYSTEM_ERROR', text, { cause: error });
  }
  const named = path ?? own;
  const place = named === undefined ? undefined : shorten(named, LONGEST_PLACE);
  const detail = syscall === undefined ? code : `${code}, ${syscall}`;
  return new UnderstudyError(kind.code, `${kind.words}${place === undefined ? '' : `: ${place}`} (${detail})`, {
    fix: kind.fix(place ?? 'your files'),
    ...(place === undefined ? {} : { location: { file: place } }),
    cause: error,
  });
}

function describe(error: unknown): { code?: string; syscall?: string; path?: string; message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, syscall, path, dest, message } = error as NodeJS.ErrnoException & { dest?: string };
  const isNul = code === 'ERR_INVALID_ARG_VALUE' && message.includes('without null bytes');
  if (typeof code !== 'string' || (!isNul && !/^E[A-Z0-9]+$/.test(code))) return { message };
  const place = dest ?? path;
  return {
    ...{ code, message },
    ...(syscall === undefined ? {} : { syscall }),
    ...(typeof place === 'string' ? { path: place } : {}),
  };
}
