import type { UntrustedFolder } from '@understudy/kit';

/** The JSON lines of a file in a workspace. Lines that are not JSON objects are left out. */
export function readJsonLines(workspace: UntrustedFolder, file: string): unknown[] {
  return (workspace.text(file) ?? '').split('\n').flatMap((line): unknown[] => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The JSON lines of the file that a pointer names. */
export function readPointedLines(workspace: UntrustedFolder, pointer: string): unknown[] {
  const name = workspace.text(pointer)?.trim() ?? '';
  return name === '' ? [] : readJsonLines(workspace, name);
}
