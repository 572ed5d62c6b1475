import { basename, join } from 'node:path';
import { pluginFolder } from '@understudy/agents';
import { copyFolder } from '../../workspace/copy-folder.js';
import { type ChangeServer, changePluginServers, pluginServerNames } from './change-servers.js';

export interface PreparePluginsOptions {
  /** Copies are made in here. */
  folder: string;
  /** Whether a server of this name is changed. */
  concerns: (server: string) => boolean;
  change: ChangeServer;
}

/**
 * Gives the folders that a conversation loads. A plugin is loaded from where it is, unless one of its
 * servers is changed: then it is a copy, because a plugin under test is never written to.
 */
export function preparePlugins(
  plugins: readonly string[],
  { folder, concerns, change }: PreparePluginsOptions,
): string[] {
  return plugins.map((plugin, index) => {
    const root = pluginFolder(plugin);
    if (!pluginServerNames(root).some(concerns)) return root;
    const copy = join(folder, 'plugins', String(index), basename(root));
    copyFolder(root, copy);
    changePluginServers(copy, change);
    return copy;
  });
}
