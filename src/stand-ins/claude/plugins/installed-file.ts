import { join } from 'node:path';
import type { ConfigPaths } from '../../../claude-code/config-paths.js';
import { isObject, parseJson, readIfThere } from '../../../document/json.js';
import { writeJson } from './marketplaces.js';

/** For whom a plugin is installed. */
export const SCOPES = ['user', 'project', 'local'] as const;

export type Scope = (typeof SCOPES)[number];

/** One installation of a plugin. */
export interface Installation {
  scope: Scope;
  /** The project of one that is not the user's. */
  projectPath?: string;
  installPath: string;
  version: string;
  installedAt: string;
  lastUpdated: string;
  /** It came with a plugin that needs it. */
  auto?: boolean;
}

function fileIn({ dir }: Pick<ConfigPaths, 'dir'>): string {
  return join(dir, 'plugins', 'installed_plugins.json');
}

/** The installed plugins by their ids. */
export function readInstalled(paths: Pick<ConfigPaths, 'dir'>): Map<string, Installation[]> {
  const document = parseJson(readIfThere(fileIn(paths)) ?? '');
  const plugins = isObject(document) && isObject(document['plugins']) ? document['plugins'] : {};
  return new Map(
    Object.entries(plugins).map(([id, all]) => [id, Array.isArray(all) ? all.filter(isInstallation) : []]),
  );
}

function isInstallation(value: unknown): value is Installation {
  return isObject(value) && typeof value['installPath'] === 'string' && typeof value['scope'] === 'string';
}

export function writeInstalled(
  paths: Pick<ConfigPaths, 'dir'>,
  installed: ReadonlyMap<string, readonly Installation[]>,
): void {
  writeJson(fileIn(paths), { version: 2, plugins: Object.fromEntries(installed) });
}
