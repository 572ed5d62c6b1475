import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigPaths } from '../../../claude-code/config-paths.js';
import { kindOf } from '../../../claude-code/plugins/tree.js';
import { pluginVariables } from '../../../claude-code/variables.js';
import type { Installation } from '../plugins/installed-file.js';
import { isInside } from '../plugins/marketplaces.js';

/** What becomes of the files of an installation that is gone: its copy is marked, and what it kept is removed. */
export function forget(id: string, { installPath }: Installation, paths: ConfigPaths, keepsData = false): void {
  const cache = join(paths.dir, 'plugins', 'cache');
  if (isInside(installPath, cache) && kindOf(installPath) === 'folder')
    writeFileSync(join(installPath, '.orphaned_at'), String(Date.now()));
  const { CLAUDE_PLUGIN_DATA: data } = pluginVariables({ id, root: '' }, paths.dir, '');
  if (!keepsData) rmSync(data, { recursive: true, force: true });
}
