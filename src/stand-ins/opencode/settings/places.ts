import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where OpenCode runs, and where it looks for settings. */
export interface Places {
  cwd: string;
  /** The repository; without one, everything. */
  worktree: string;
  home: string;
  /** The settings of the user. */
  user: string;
  /** The data of the user. */
  data: string;
  /** The settings of the project do not count. */
  ignoresProject: boolean;
}

export function placesOf(cwd: string, env: NodeJS.ProcessEnv): Places {
  const home = env['HOME'] ?? cwd;
  return {
    ...{ cwd, home },
    worktree: upwards(cwd, '/').find((folder) => existsSync(join(folder, '.git'))) ?? '/',
    user: join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode'),
    data: join(env['XDG_DATA_HOME'] ?? join(home, '.local/share'), 'opencode'),
    ignoresProject: isOn(env['OPENCODE_DISABLE_PROJECT_CONFIG']),
  };
}

/** The folders from one up to another that is above it, the nearest first. */
export function upwards(folder: string, last: string): string[] {
  const parent = dirname(folder);
  return folder === resolve(last) || parent === folder ? [folder] : [folder, ...upwards(parent, last)];
}

/** What OpenCode takes for yes in a variable. */
export function isOn(value: string | undefined): boolean {
  return value === '1' || value?.toLowerCase() === 'true';
}
