import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether this is a file that may be started. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Every file on PATH that this name can start, in the order in which a shell finds them. */
export function executablesOnPath(program: string, environment: NodeJS.ProcessEnv): string[] {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...new Set(folders.map((folder) => join(folder, program)))].filter(isExecutable);
}
