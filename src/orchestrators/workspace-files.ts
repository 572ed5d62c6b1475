import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The text of a file in a workspace. A path or link that leads out of it is not followed: agents write these files. */
export function readInside(workspace: string, file: string): string | undefined {
  try {
    const root = realpathSync(workspace);
    const path = realpathSync(join(root, file));
    return path.startsWith(root + sep) && lstatSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** The JSON lines of a file in a workspace. Lines that are not JSON objects are left out. */
export function readJsonLines(workspace: string, file: string): unknown[] {
  return (readInside(workspace, file) ?? '').split('\n').flatMap((line): unknown[] => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The JSON lines of the file that a pointer names. */
export function readPointedLines(workspace: string, pointer: string): unknown[] {
  const name = readInside(workspace, pointer)?.trim() ?? '';
  return name === '' ? [] : readJsonLines(workspace, name);
}
