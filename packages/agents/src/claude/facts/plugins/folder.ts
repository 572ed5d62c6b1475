import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { nearestWord, UnderstudyError } from '@understudy/kit';
import { foldersIn, kindOf, specialFileBelow } from './tree.js';

/** The real path of a plugin's folder. The CLI passes over a folder that is not there, or waits for a pipe; we do not. */
export function pluginFolder(path: string): string {
  if (kindOf(path) === 'folder') {
    const folder = realpathSync(resolve(path));
    const special = specialFileBelow(folder);
    if (special === undefined) return folder;
    throw new UnderstudyError('PLUGIN_SPECIAL_FILE', `${special} is a named pipe, a socket or a device`, {
      fix: 'Remove it from the plugin, or put a file in its place.',
    });
  }
  throw new UnderstudyError('FOLDER_NOT_FOUND', `there is no folder ${path}`, { fix: nearestFolder(path) });
}

/** What to do about a folder that is not there: it names the nearest one. */
export function nearestFolder(path: string): string {
  const full = resolve(path);
  if (kindOf(full) === 'file') return `Give the folder of the plugin: ${dirname(full)}.`;
  let missing = full;
  while (kindOf(dirname(missing)) !== 'folder') missing = dirname(missing);
  const parent = dirname(missing);
  const near = nearestWord(
    basename(missing),
    foldersIn(parent).map((folder) => basename(folder)),
  );
  if (near !== undefined) return `Did you mean ${join(parent, near, full.slice(missing.length))}?`;
  return `Give the folder that holds .claude-plugin. The nearest folder that exists is ${parent}.`;
}
