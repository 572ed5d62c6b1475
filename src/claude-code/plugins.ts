import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isObject, type JsonObject, parseJson, readIfThere } from '../document/json.js';
import type { AgentDefinition } from './agent-definitions.js';
import { readMarkdown } from './front-matter.js';
import type { Hook } from './hooks/hook.js';
import { readHooks } from './hooks/load.js';
import { type CommandDefinition, loadCommands } from './slash-commands.js';

/** A plugin that came up, with all that it brings. */
export interface LoadedPlugin {
  name: string;
  root: string;
  version?: string;
  commands: CommandDefinition[];
  agents: AgentDefinition[];
  hooks: Hook[];
  mcpServers: JsonObject;
}

/** Something about a plugin that did not load, as the session's first line lists it. */
export interface PluginProblem {
  plugin: string;
  type: string;
  message: string;
  path?: string;
}

export interface LoadedPlugins {
  plugins: LoadedPlugin[];
  problems: PluginProblem[];
}

/** Loads the plugins that `--plugin-dir` names. A folder of plugins stands for each of them. */
export async function loadPlugins(directories: readonly string[], cwd: string): Promise<LoadedPlugins> {
  const loaded: LoadedPlugins = { plugins: [], problems: [] };
  for (const [index, directory] of directories.entries()) {
    const root = resolve(cwd, directory);
    if (!existsSync(root)) {
      loaded.problems.push({
        plugin: `inline[${index}]`,
        type: 'path-not-found',
        message: `Path not found: ${directory}`,
        path: root,
      });
      continue;
    }
    for (const folder of pluginFolders(root)) await loadPlugin(folder, loaded);
  }
  return loaded;
}

function pluginFolders(root: string): string[] {
  const isPlugin = (folder: string): boolean => existsSync(join(folder, '.claude-plugin', 'plugin.json'));
  if (isPlugin(root)) return [root];
  const children = readdirSync(root)
    .map((name) => join(root, name))
    .filter((folder) => statSync(folder).isDirectory() && isPlugin(folder));
  // A folder without a manifest is a plugin too, named after the folder.
  return children.length > 0 ? children : [root];
}

async function loadPlugin(root: string, into: LoadedPlugins): Promise<void> {
  const manifestFile = join(root, '.claude-plugin', 'plugin.json');
  const manifestText = readIfThere(manifestFile);
  const manifest = manifestText === undefined ? {} : parseJson(manifestText);
  const fallbackName = basename(root);
  if (!isObject(manifest)) {
    into.problems.push({
      plugin: fallbackName,
      type: 'manifest-parse-error',
      message: `Invalid JSON in ${manifestFile}`,
      path: manifestFile,
    });
    return;
  }
  const name = typeof manifest['name'] === 'string' ? manifest['name'] : fallbackName;
  const report = (type: string, message: string, path: string): void => {
    into.problems.push({ plugin: name, type, message, path });
  };
  into.plugins.push({
    name,
    root,
    ...(typeof manifest['version'] === 'string' ? { version: manifest['version'] } : {}),
    commands: await loadCommands(root, { source: 'plugin', prefix: name, pluginRoot: root }),
    agents: await loadAgents(root, name),
    hooks: loadHooks(root, name, manifest, report),
    mcpServers: loadMcpServers(root, manifest, report),
  });
}

type Report = (type: string, message: string, path: string) => void;

async function loadAgents(root: string, plugin: string): Promise<AgentDefinition[]> {
  const folder = join(root, 'agents');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return Promise.all(
    files.map(async (file) => {
      const { meta, body } = await readMarkdown(readIfThere(join(folder, file)) ?? '');
      const own = typeof meta['name'] === 'string' ? meta['name'] : basename(file, '.md');
      return { name: `${plugin}:${own}`, system: body.trim() };
    }),
  );
}

/** Hooks come from hooks/hooks.json, and from what the manifest gives or points to. */
function loadHooks(root: string, name: string, manifest: JsonObject, report: Report): Hook[] {
  const origin = { source: 'plugin' as const, plugin: { name, root } };
  const { hooks: given } = manifest;
  const files = [join(root, 'hooks', 'hooks.json'), ...(typeof given === 'string' ? [resolve(root, given)] : [])];
  const documents = [...new Set(files)].flatMap((file) => {
    const text = readIfThere(file);
    if (text === undefined) return [];
    const document = parseJson(text);
    if (isObject(document)) return [document['hooks']];
    report('hook-load-failed', `Failed to load hooks from ${file}: Invalid JSON`, file);
    return [];
  });
  if (isObject(given)) documents.push(given['hooks'] ?? given);
  return documents.flatMap((document) => readHooks(document, origin).hooks);
}

function loadMcpServers(root: string, manifest: JsonObject, report: Report): JsonObject {
  const file = join(root, '.mcp.json');
  const text = readIfThere(file);
  const { mcpServers: given } = manifest;
  const own = isObject(given) ? given : {};
  if (text === undefined) return own;
  const document = parseJson(text);
  if (!isObject(document)) {
    report('mcp-config-invalid', `Invalid JSON in ${file}`, file);
    return own;
  }
  const servers = isObject(document['mcpServers']) ? document['mcpServers'] : document;
  return { ...own, ...servers };
}
