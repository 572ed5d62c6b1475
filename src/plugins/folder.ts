import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { kindOf } from '../claude-code/plugins/tree.js';
import { UnderstudyError } from '../errors.js';

/** The real path of a plugin's folder. */
export function pluginFolder(path: string): string {
  if (kindOf(path) === 'folder') return realpathSync(resolve(path));
  throw new UnderstudyError('FOLDER_NOT_FOUND', `there is no folder ${path}`, {
    fix: 'Give the folder that holds .claude-plugin.',
  });
}
