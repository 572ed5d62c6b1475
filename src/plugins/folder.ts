import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { kindOf } from '../claude-code/plugins/tree.js';
import { UnderstudyError } from '../errors.js';

/** The real path of a folder; one that is not there is an error of ours. */
export function pluginFolder(path: string): string {
  if (kindOf(path) === 'folder') return realpathSync(resolve(path));
  throw new UnderstudyError('FOLDER_NOT_FOUND', `there is no folder ${path}`, {
    fix: 'Name the folder that holds .claude-plugin.',
  });
}
