import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pluginFolder } from '../../plugins/folder.js';
import { type ProxyContext, putProxies } from './mcp-servers/put-proxies.js';

export interface PreparedPlugins {
  /** What the CLI loads. */
  folders: string[];
  /** Servers that are seen through a proxy. */
  proxied: string[];
}

/**
 * Gives the folders that a conversation loads. A plugin is loaded from where it is, unless a mock
 * concerns one of its servers: then it is a copy, because a plugin under test is never written to.
 */
export function preparePlugins(plugins: readonly string[], place: ProxyContext): PreparedPlugins {
  const prepared: PreparedPlugins = { folders: [], proxied: [] };
  for (const [index, plugin] of plugins.entries()) {
    const root = pluginFolder(plugin);
    if (place.mocks.all.length === 0) {
      prepared.folders.push(root);
      continue;
    }
    const copy = join(place.folder, 'plugins', String(index), basename(root));
    cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
    prepared.proxied.push(...putProxies(copy, place));
    prepared.folders.push(copy);
  }
  return prepared;
}
