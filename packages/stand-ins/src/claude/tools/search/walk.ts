import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type IgnoreRules, isIgnored, rulesAbove, rulesOf } from './ignore-files.js';
import type { PathFilter } from './path-filter.js';

export interface WalkOptions {
  filter: PathFilter;
  /** What files for ripgrep and git name is left out, unless the filter wants it. */
  honorsIgnoreFiles: boolean;
}

/** All files below a folder, by name, as paths from it. */
export function walkFiles(root: string, { filter, honorsIgnoreFiles }: WalkOptions): string[] {
  const files: string[] = [];
  const above = honorsIgnoreFiles ? rulesAbove(root) : undefined;
  const walk = (folder: string, outer: readonly IgnoreRules[]): void => {
    const rules = above === undefined ? outer : [...outer, ...rulesOf(join(root, folder), above.isRepository)];
    for (const entry of entriesOf(join(root, folder))) {
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) continue;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const verdict = filter.judge(path, isFolder);
      if (verdict === 'unwanted') continue;
      if (verdict === undefined && isIgnored(rules, join(root, path), isFolder)) continue;
      if (isFolder) walk(path, rules);
      else files.push(path);
    }
  };
  walk('', above?.rules ?? []);
  return files;
}

function entriesOf(folder: string): ReturnType<typeof listing> {
  try {
    return listing(folder);
  } catch {
    return [];
  }
}

function listing(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
