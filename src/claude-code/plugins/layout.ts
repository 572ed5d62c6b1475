import { join } from 'node:path';
import type { JsonObject } from '../../document/json.js';
import { isObject } from '../../document/json.js';

/** The folder that makes a folder a plugin or a marketplace, and its files. */
export const PLUGIN_FOLDER = '.claude-plugin';
export const MANIFEST_FILE = join(PLUGIN_FOLDER, 'plugin.json');
export const MARKETPLACE_FILE = join(PLUGIN_FOLDER, 'marketplace.json');

/** Where the components of a plugin are, unless the manifest names other places. */
export const COMMANDS_FOLDER = 'commands';
export const AGENTS_FOLDER = 'agents';
export const SKILLS_FOLDER = 'skills';
export const SKILL_FILE = 'SKILL.md';
export const HOOKS_FILE = join('hooks', 'hooks.json');
export const SERVERS_FILE = '.mcp.json';

/** What belongs beside `.claude-plugin`. Inside it the CLI does not look. */
export const COMPONENT_PLACES = [COMMANDS_FOLDER, AGENTS_FOLDER, SKILLS_FOLDER, 'hooks', SERVERS_FILE];

/** Parts of a manifest that the CLI knows and that are not loaded or compared here. */
export const OTHER_PARTS = ['outputStyles', 'lspServers', 'monitors', 'themes', 'channels', 'workflows'] as const;

/** A path or paths as a list; anything else is no path. */
export function pathList(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Where hooks or servers are declared: in a file, or in the manifest itself. */
export type DeclaredIn = { file: string } | { value: JsonObject };

/** Where the hooks of a plugin are: hooks/hooks.json, and the files and objects that the manifest adds. */
export function hookSources(root: string, { hooks }: JsonObject): DeclaredIn[] {
  const added = Array.isArray(hooks) ? hooks : [hooks];
  const files = [HOOKS_FILE, ...added.flatMap(pathList)].map((path) => join(root, path));
  return [...new Set(files)]
    .map((file): DeclaredIn => ({ file }))
    .concat(added.filter(isObject).map((value) => ({ value })));
}

/** Where the MCP servers of a plugin are. Of two with one name the last one counts. */
export function serverSources(root: string, { mcpServers }: JsonObject): DeclaredIn[] {
  const files = [SERVERS_FILE, ...pathList(mcpServers)].map((path) => join(root, path));
  return [...[...new Set(files)].map((file) => ({ file })), ...(isObject(mcpServers) ? [{ value: mcpServers }] : [])];
}

/** The servers of a document: with or without `mcpServers` around them. */
export function serversOfDocument(document: unknown): JsonObject | undefined {
  if (!isObject(document)) return undefined;
  return isObject(document['mcpServers']) ? document['mcpServers'] : document;
}
