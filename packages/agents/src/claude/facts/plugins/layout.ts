import { join } from 'node:path';
import { isObject, type JsonObject } from '@understudy/kit';

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
export const LANGUAGE_SERVERS_FILE = '.lsp.json';

export const WORKFLOWS_FOLDER = 'workflows';

/** A part that the CLI knows and that is not loaded or compared here: its key in the manifest, and its usual place. */
export interface OtherPart {
  name: string;
  key?: string;
  places: readonly string[];
}

/** The other parts of a plugin, as the pinned Claude Code knows them. */
export const OTHER_PARTS: readonly OtherPart[] = [
  { name: 'output styles', key: 'outputStyles', places: ['output-styles'] },
  { name: 'themes', key: 'themes', places: ['themes'] },
  { name: 'syntax highlighting', key: 'syntaxHighlighting', places: ['hljs'] },
  { name: 'LSP servers', key: 'lspServers', places: [LANGUAGE_SERVERS_FILE] },
  { name: 'monitors', key: 'monitors', places: [join('monitors', 'monitors.json')] },
  { name: 'mods (JavaScript hooks)', places: [join('hooks', 'register.js'), join('hooks', 'register.ts')] },
  { name: 'channels', key: 'channels', places: [] },
  { name: 'programs', key: 'binaries', places: ['bin'] },
  { name: 'settings', key: 'settings', places: ['settings.json'] },
  { name: 'user configuration', key: 'userConfig', places: [] },
];

/** What belongs beside `.claude-plugin`. Inside it the CLI does not look. */
export const COMPONENT_PLACES = [
  ...[COMMANDS_FOLDER, AGENTS_FOLDER, SKILLS_FOLDER, 'hooks', WORKFLOWS_FOLDER, SERVERS_FILE],
  ...['output-styles', 'themes', 'monitors', LANGUAGE_SERVERS_FILE],
];

/** A path or paths as a list; anything else is no path. */
export function pathList(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/**
 * Where the skills of a plugin are: in skills/, and where the manifest says besides. A marketplace entry whose source
 * is the marketplace itself lists its own skills, because several plugins share the folder.
 */
export function skillPlaces({ source, skills }: JsonObject): string[] {
  const named = pathList(skills).map((path) => join(path));
  const isShared = typeof source === 'string' && source.split(/[\\/]/).every((part) => part === '' || part === '.');
  const hasOwn = named.length > 0 && !named.some((path) => ['.', './', SKILLS_FOLDER].includes(path));
  return isShared && hasOwn ? named : [...new Set([SKILLS_FOLDER, ...named])];
}

/** The servers of a document: with or without `mcpServers` around them. */
export function serversOfDocument(document: unknown): JsonObject | undefined {
  if (!isObject(document)) return undefined;
  return isObject(document['mcpServers']) ? document['mcpServers'] : document;
}
