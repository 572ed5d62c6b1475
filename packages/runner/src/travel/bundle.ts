import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { findOwnFile, UnderstudyError } from '@understudy/kit';

/** A file, link or folder that travels, by its path from the root of the bundle. */
export interface BundledFile {
  path: string;
  kind: 'file' | 'link' | 'folder';
  /** For a file: the hash of its content, and where it is here. */
  hash?: string;
  source?: string;
  executable?: boolean | undefined;
  /** For a link: what it leads to. */
  target?: string;
}

/** Everything that the entries of a run are made of. Its hash is that of its files: the same files are stored once. */
export interface Bundle {
  hash: string;
  bytes: number;
  /** The folder here that its paths are from. */
  root: string;
  files: BundledFile[];
  /** What stays here, by its path from the root, and why. */
  leftOut: { path: string; reason: string }[];
}

export interface BundleOptions {
  /** Limits of one file, and of all of them. */
  fileBytes?: number;
  totalBytes?: number;
  /**
   * Why a file or folder stays here, if so. With it, what cannot travel or leads out of the root stays here, too: without
   * it, a link out of the root is followed, and the rest is refused.
   */
  leaveOut?(path: string): string | undefined;
}

const MEGABYTE = 1024 * 1024;
const LIMITS = { fileBytes: 64 * MEGABYTE, totalBytes: 512 * MEGABYTE };

/** Collects files and folders; `base` is the folder from which paths are shown, and belongs to the root, too. */
export function makeBundle(parts: readonly string[], base: string, options: BundleOptions = {}): Bundle {
  const paths = [...new Set(parts.map((part) => resolve(part)))];
  const root = commonFolder([base, ...paths]);
  const found = new Map<string, BundledFile>();
  const collector: Collector = { root, found, options: { ...LIMITS, ...options }, leftOut: [], bytes: 0 };
  for (const path of paths) add(collector, path, path, []);
  const files = [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  const told = files.map(({ path, kind, hash, executable, target }) => [path, kind, hash, executable, target]);
  return { hash: sha256(JSON.stringify(told)), bytes: collector.bytes, root, files, leftOut: collector.leftOut };
}

interface Collector {
  root: string;
  found: Map<string, BundledFile>;
  options: BundleOptions & typeof LIMITS;
  leftOut: Bundle['leftOut'];
  bytes: number;
}

/** `from` is where it is, `as` where it appears: a link out of the root is followed. */
function add(to: Collector, from: string, as: string, above: readonly string[]): void {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats === undefined) refuse(from, 'does not exist');
  const path = relative(to.root, as);
  if (to.found.get(path)?.kind === 'file') return;
  const reason = to.options.leaveOut?.(as);
  if (reason !== undefined) {
    leave(to, path, reason);
    return;
  }
  if (stats.isSymbolicLink()) addLink(to, from, as, above);
  else if (stats.isDirectory()) {
    to.found.set(path, { path, kind: 'folder' });
    for (const name of readdirSync(from)) add(to, join(from, name), join(as, name), [...above, realpathSync(from)]);
  } else addFile(to, from, path, stats);
}

function addFile(to: Collector, from: string, path: string, stats: Stats): void {
  const { fileBytes, totalBytes, leaveOut } = to.options;
  if (!stats.isFile()) {
    if (leaveOut !== undefined) {
      leave(to, path, 'it is a pipe, a socket or a device');
      return;
    }
    refuse(from, 'is a pipe, a socket or a device');
  }
  if (stats.size > fileBytes) {
    if (leaveOut !== undefined) {
      leave(to, path, `it has more than ${inMegabytes(fileBytes)}`);
      return;
    }
    tooLarge(`${from} has`, fileBytes);
  }
  to.bytes += stats.size;
  if (to.bytes > totalBytes) tooLarge('the files of the run have', totalBytes);
  const executable = (stats.mode & 0o100) !== 0;
  to.found.set(path, { path, kind: 'file', hash: sha256(readFileSync(from)), source: from, executable });
}

function addLink(to: Collector, from: string, as: string, above: readonly string[]): void {
  const written = readlinkSync(from);
  const aim = resolve(dirname(as), written);
  const path = relative(to.root, as);
  if (!isAbsolute(written) && isBelow(to.root, aim)) {
    to.found.set(path, { path, kind: 'link', target: written });
    return;
  }
  if (to.options.leaveOut !== undefined) {
    leave(to, path, 'it is a link to elsewhere');
    return;
  }
  const real = realPathOf(from);
  if (above.includes(real)) refuse(from, `is a link to ${real}, which it lies in`);
  const stats = statSync(real);
  if (stats.isDirectory()) add(to, real, as, above);
  else addFile(to, real, path, stats);
}

function leave({ leftOut }: Collector, path: string, reason: string): void {
  leftOut.push({ path, reason });
}

/** Writes a file of a bundle into the folder in which it is unpacked. */
export function placeFile(folder: string, { path, executable }: BundledFile, content: string | Buffer): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content, { mode: executable ? 0o755 : 0o644 });
  if (executable) chmodSync(target, 0o755);
}

/** Makes a link of a bundle. All files are there already: nothing is written through a link. */
export function placeLink(folder: string, { path, target = '' }: BundledFile): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(target, join(folder, path));
}

/** A module of an unpacked bundle, such as a check of a user, imports this package. */
export function linkOwnPackage(folder: string): void {
  const program = findOwnFile('bin/understudy.js');
  const link = join(folder, 'node_modules/agent-understudy');
  if (program === undefined || existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(dirname(dirname(dirname(program))), link, 'junction');
}

function realPathOf(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return refuse(link, 'is a link that leads nowhere');
  }
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root === sep ? sep : `${root}${sep}`);
}

/** The folder in which all of these are; of one file, its folder. */
export function commonFolder(paths: readonly string[]): string {
  const [first = sep, ...others] = paths;
  let folder = first;
  while (!others.every((path) => isBelow(folder, path))) folder = dirname(folder);
  return statSync(folder).isDirectory() ? folder : dirname(folder);
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`;
}

function tooLarge(what: string, limit: number): never {
  throw new UnderstudyError(
    'BUNDLE_TOO_LARGE',
    `${what} more than ${inMegabytes(limit)}, which is the limit of a bundle`,
  );
}

function refuse(path: string, why: string): never {
  throw new UnderstudyError('BUNDLE_PATH_REFUSED', `${path} ${why}, so it cannot travel to another machine`);
}
