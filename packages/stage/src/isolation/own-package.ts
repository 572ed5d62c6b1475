import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { findOwnFile } from '@understudy/kit';

let known: string[] | undefined;

/**
 * This package, which has the stand-ins, and the folders in which Node finds what it depends on, wherever they are: a
 * checkout, a linked package, a store of packages. Where it is bundled into another program, there is nothing.
 */
export function ownPackage(): string[] {
  known ??= findOwnPackage();
  return known;
}

function findOwnPackage(): string[] {
  const bundle = findOwnFile('bin/understudy-claude.cjs');
  if (bundle === undefined) return [];
  const build = dirname(dirname(bundle));
  return foldersOfPackage(dirname(build), [build, join(dirname(build), 'package.json')]);
}

/** For a package in a folder: `own` of it, and the folders of all that it depends on. */
export function foldersOfPackage(folder: string, own: readonly string[]): string[] {
  const around = modulesAround(folder);
  const shown = new Set(around === undefined ? own : [around]);
  const waiting = [folder];
  const done = new Set(waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of dependenciesOf(next)) {
      const found = findModule(next, name);
      if (found === undefined) continue;
      shown.add(modulesAround(found) ?? dirname(found));
      const real = realpathSync(found);
      if (done.has(real)) continue;
      done.add(real);
      shown.add(modulesAround(real) ?? real);
      waiting.push(real);
    }
  }
  return [...shown];
}

/** The outermost `node_modules` around a path: links of package managers lead from one part of it to another. */
function modulesAround(path: string): string | undefined {
  const name = `${sep}node_modules`;
  const at = path.indexOf(name + sep);
  return at < 0 ? undefined : path.slice(0, at + name.length);
}

/** As Node looks for it: in the `node_modules` of a folder, or of one above it. */
function findModule(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Optional ones, too: where they are missing, they are not found. */
function dependenciesOf(folder: string): string[] {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    const described = JSON.parse(text) as Record<string, Record<string, string> | undefined>;
    const fields = ['dependencies', 'optionalDependencies'];
    return fields.flatMap((field) => Object.keys(described[field] ?? {}));
  } catch {
    return [];
  }
}
