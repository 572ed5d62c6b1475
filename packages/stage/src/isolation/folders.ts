import { existsSync, realpathSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { basename, delimiter, dirname, join, resolve, sep } from 'node:path';
import { readIfThere } from '@understudy/kit';

/** Homes of this machine: the user's own, and those of others. */
export function realHomes(): string[] {
  return outermost([homedir(), userHome(), '/home', '/root']);
}

/** Homes of the user who runs this. */
export function ownHomes(): string[] {
  return outermost([homedir(), userHome()]);
}

/** Folders in whose place a command finds an empty one. */
export function hiddenFolders(): string[] {
  return outermost([...realHomes(), '/tmp', '/var/tmp', '/run', tmpdir()]);
}

/** Whether a folder is a home, or has one in it: then it is never shown as a whole. */
export function holdsHome(folder: string): boolean {
  const real = realPath(folder) ?? folder;
  return [homedir(), userHome(), '/home', '/root', ...homesOfUsers()].some((home) => {
    const path = realPath(home);
    return path !== undefined && isWithin(path, real);
  });
}

let listed: string[] | undefined;

/** Homes in /home that somebody has: not every folder there is one. */
function homesOfUsers(): string[] {
  listed ??= (readIfThere('/etc/passwd') ?? '')
    .split('\n')
    .flatMap((line) => line.split(':')[5] ?? [])
    .filter((home) => home.startsWith('/home/'));
  return listed;
}

/**
 * What may be read of the folder around a file: all of it. In a home itself, it is the file and what it names: paths
 * relative to it, and what follows `{{here}}` in texts.
 */
export function readableNextTo(
  file: string,
  { paths = [], texts = [] }: { paths?: readonly string[]; texts?: readonly string[] } = {},
): string[] {
  const folder = dirname(resolve(file));
  if (!holdsHome(folder)) return [folder];
  const here = texts.flatMap((text) => [...text.matchAll(HERE)].map(([, path = '']) => `.${path}`));
  return [resolve(file), ...[...paths, ...here].map((path) => resolve(folder, path))];
}

/** In a line for a shell, `"{{here}}"/tool` is usual. */
const HERE = /\{\{\s*here\s*\}\}["']?([^\s"'`;|&<>()$\\]*)/g;

function userHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '';
  }
}

/** Folders that are there, without those that are in another one of them. */
function outermost(folders: readonly string[]): string[] {
  const there = [...new Set(folders.flatMap((folder) => realPath(folder) ?? []))].filter((folder) => folder !== '/');
  return there.filter((folder) => !there.some((other) => other !== folder && isWithin(folder, other)));
}

export function realPath(path: string): string | undefined {
  return path !== '' && existsSync(path) ? realpathSync(path) : undefined;
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Beside their programs, these keep what is private: only the programs are shown. */
const PRIVATE = new Set(['.local', '.cargo', '.config', '.npm', '.npm-global', '.docker']);

/** What the programs on a PATH need of hidden folders: mostly the folder around their `bin`, as with nvm and pyenv. */
export function programFolders(path: string, homes: readonly string[] = realHomes()): string[] {
  const folders = path.split(delimiter).flatMap((folder) => realPath(folder) ?? []);
  return folders.flatMap((folder) => {
    // Its programs lead to the packages beside it.
    if (basename(folder) === '.bin') return [dirname(folder)];
    if (existsSync(join(folder, '..', 'pyvenv.cfg'))) return [around(folder, homes), ...basePython(folder, homes)];
    const isHidden = homes.some((home) => isWithin(folder, home));
    return [isHidden && ['bin', 'shims'].includes(basename(folder)) ? around(folder, homes) : folder];
  });
}

/** A virtual environment has the program and the library of the Python that it was made with, wherever that is. */
function basePython(bin: string, homes: readonly string[]): string[] {
  const python = realPath(join(bin, 'python'));
  return python === undefined ? [] : [around(dirname(python), homes)];
}

function around(folder: string, homes: readonly string[]): string {
  const outer = dirname(folder);
  const home = homes.find((one) => isWithin(folder, one));
  return home === undefined || (isToolFolder(outer, home) && !holdsHome(outer)) ? outer : folder;
}

/** Not a home itself, where private things are beside it. */
function isToolFolder(folder: string, home: string): boolean {
  const names = folder
    .slice(home.length)
    .split(sep)
    .filter((name) => name !== '');
  // In /home, the first name is that of a user.
  const own = home === '/home' ? names.slice(1) : names;
  return own.length > 0 && !(own.length === 1 && PRIVATE.has(own[0] ?? ''));
}

/** Files that an agent has no business with. They are in the place of a hidden home, and show when they are read. */
export function decoysIn(home: string): string[] {
  return [
    ...['.ssh/id_rsa', '.ssh/id_ed25519', '.aws/credentials', '.netrc', '.git-credentials', '.bash_history'],
    ...['.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json', '.npmrc'],
  ].map((file) => join(home, file));
}
