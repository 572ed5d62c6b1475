import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { Environment } from './environment.js';

/** Why a program cannot be started, as the system would say it; nothing when it can. */
export function startProblem(file: string, cwd: string, env: Environment): string | undefined {
  const folders = file.includes('/') ? [cwd] : (env['PATH'] ?? '/usr/bin:/bin').split(delimiter);
  let problem = `spawn ${file} ENOENT`;
  for (const folder of folders) {
    const path = resolve(cwd, folder, file);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return undefined;
      problem = `spawn ${file} EACCES`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') problem = `spawn ${file} EACCES`;
    }
  }
  return problem;
}
