import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isObject, parseJson, readIfThere, withoutComments } from '@understudy/kit';
import { NotSupported } from '../shared/refusal.js';
import { REFUSED } from './refused.js';

/** Settings that make no difference without a screen and without a real model. */
export const IDLE_SETTINGS = ['$schema', 'autoupdate', 'keybinds', 'logLevel', 'snapshot', 'theme', 'tui', 'username'];

const FILES = ['opencode.json', 'opencode.jsonc', 'config.json'];

/** Where OpenCode runs: the repository, without one everything. */
export function worktreeOf(cwd: string): string {
  return upwards(cwd).find((folder) => existsSync(join(folder, '.git'))) ?? '/';
}

/** Refuses settings of the user, the project and the environment that matter, and folders with code and agents. */
export function refuseSettings(cwd: string, env: NodeJS.ProcessEnv): void {
  const home = env['HOME'] ?? cwd;
  const user = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'opencode');
  const worktree = worktreeOf(cwd);
  const project = env['OPENCODE_DISABLE_PROJECT_CONFIG'] === '1' ? [] : upwards(cwd, worktree);
  const named = env['OPENCODE_CONFIG'];
  const files = [user, ...project].flatMap((folder) => FILES.map((name) => join(folder, name)));
  for (const file of [...files, ...(named ? [resolve(cwd, named)] : [])]) {
    const other = otherSetting(readIfThere(file) ?? '');
    if (other !== undefined) throw new NotSupported(`${REFUSED.settings} ${other} in ${file}`);
  }
  const variables = ['OPENCODE_CONFIG_CONTENT', 'OPENCODE_CONFIG_DIR', 'OPENCODE_PERMISSION'];
  const set = variables.find((name) => (env[name] ?? '').trim().replace('{}', '') !== '');
  if (set !== undefined) throw new NotSupported(`${REFUSED.settings} ${set}`);
  const kinds = ['agent', 'mode', 'command', 'plugin', 'tool'].flatMap((kind) => [kind, `${kind}s`]);
  for (const folder of [user, ...[...project, home].map((one) => join(one, '.opencode'))])
    if (kinds.some((kind) => hasFiles(join(folder, kind)))) throw new NotSupported(`${REFUSED.folder} ${folder}.`);
}

/** The folders from one up to another that is above it, the nearest first. */
export function upwards(folder: string, last = '/'): string[] {
  const parent = dirname(folder);
  return folder === resolve(last) || parent === folder ? [folder] : [folder, ...upwards(parent, last)];
}

/** The first setting that matters. OpenCode names the schema in files that do not, which would be a change of the project. */
function otherSetting(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const settings = parseJson(withoutComments(text));
  if (!isObject(settings)) return 'what is no JSON';
  if (settings['$schema'] === undefined) return 'a missing $schema';
  return Object.keys(settings).find((name) => !IDLE_SETTINGS.includes(name));
}

function hasFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}
