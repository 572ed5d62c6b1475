import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isModuleFile } from '@understudy/kit';

const IMPORT = /\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;

/** The files that a module imports by a relative path, and what they import: a change of one is a change of it. */
export function importedFiles(file: string): string[] {
  const found = new Set([resolve(file)]);
  for (const path of found) {
    if (!isModuleFile(path) || !existsSync(path)) continue;
    for (const [, to = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const imported = resolve(dirname(path), to);
      if (existsSync(imported)) found.add(imported);
    }
  }
  return [...found].slice(1);
}
