import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { lastAbout } from './path-filter.js';
import { type PathPattern, readPathPattern } from './path-pattern.js';

/** What the ignore files of one folder say. */
export interface IgnoreRules {
  folder: string;
  patterns: readonly PathPattern[];
}

/** The rules that count in a folder because of the folders above it. Those of git count only in a repository. */
export function rulesAbove(root: string): { rules: IgnoreRules[]; isRepository: boolean } {
  const folders = [root];
  for (let at = root; dirname(at) !== at; at = dirname(at)) folders.unshift(dirname(at));
  const start = folders.findLastIndex((folder) => existsSync(join(folder, '.git')));
  const isRepository = start !== -1;
  const within = isRepository ? folders.slice(start, -1) : [];
  return { rules: within.flatMap((folder) => rulesOf(folder, true)), isRepository };
}

/** The rules that stand in this folder. */
export function rulesOf(folder: string, isRepository: boolean): IgnoreRules[] {
  const names = isRepository ? [join('.git', 'info', 'exclude'), '.gitignore', '.ignore'] : ['.ignore'];
  return [...names, '.rgignore'].flatMap((name) => {
    const patterns = readPatterns(join(folder, name));
    return patterns.length === 0 ? [] : [{ folder, patterns }];
  });
}

/** Whether the nearest rule about a path wants it ignored. */
export function isIgnored(rules: readonly IgnoreRules[], path: string, isFolder: boolean): boolean {
  for (const { folder, patterns } of [...rules].reverse()) {
    const last = lastAbout(patterns, relative(folder, path), isFolder);
    if (last !== undefined) return !last.isNegated;
  }
  return false;
}

function readPatterns(file: string): PathPattern[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trimEnd());
  return lines.flatMap((line) => {
    if (line === '' || line.startsWith('#')) return [];
    return [readPathPattern(line, true)];
  });
}
