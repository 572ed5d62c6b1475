import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED = new Set(['.git', 'node_modules', '.hg', '.svn']);

/** All files below a folder, by name, as paths from it. Folders of version control and packages are left out. */
export function walkFiles(root: string): string[] {
  const files: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of list(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) walk(path);
      } else if (entry.isFile()) {
        files.push(path);
      }
    }
  };
  walk('');
  return files;
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
