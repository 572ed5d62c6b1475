import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { defined } from '../../document/defined.js';
import { isObject, type JsonObject, parseJson, readIfThere } from '../../document/json.js';
import { type AgentDefinition, pluginAgents } from '../agent-definitions.js';
import type { Hook } from '../hooks/hook.js';
import { readHooks } from '../hooks/load.js';
import { jsonComplaint } from '../json-complaint.js';
import { type CommandDefinition, defineInline, readCommand } from '../slash-commands.js';
import { commandFiles, skillFiles } from './components.js';
import { hookSources, MANIFEST_FILE, serverSources, serversOfDocument } from './layout.js';

/** A plugin that was loaded, with all that it brings. */
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
export function loadPlugins(directories: readonly string[], cwd: string): LoadedPlugins {
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
    for (const folder of pluginFolders(root)) loadPlugin(folder, loaded);
  }
  return loaded;
}

function pluginFolders(root: string): string[] {
  const isPlugin = (folder: string): boolean => existsSync(join(folder, MANIFEST_FILE));
  if (isPlugin(root)) return [root];
  const children = readdirSync(root)
    .map((name) => join(root, name))
    .filter((folder) => statSync(folder).isDirectory() && isPlugin(folder));
  // A folder without a manifest is a plugin too, named after the folder.
  return children.length > 0 ? children : [root];
}

function loadPlugin(root: string, into: LoadedPlugins): void {
  const manifestFile = join(root, MANIFEST_FILE);
  const manifestText = readIfThere(manifestFile);
  const manifest = manifestText === undefined ? {} : parseJson(manifestText);
  const fallbackName = basename(root);
  if (!isObject(manifest)) {
    into.problems.push({
      plugin: `inline[${into.plugins.length + into.problems.length}]`,
      type: 'generic-error',
      message: `Failed to load plugin: Plugin ${fallbackName} has a corrupt manifest file at ${manifestFile}. JSON parse error: ${jsonComplaint(manifestText ?? '')}`,
      path: root,
    });
    return;
  }
  const name = typeof manifest['name'] === 'string' ? manifest['name'] : fallbackName;
  const report = (type: string, message: string, path?: string): void => {
    const plugin = path === undefined ? `${fallbackName}@inline` : name;
    into.problems.push({ plugin, type, message, ...defined({ path }) });
  };
  into.plugins.push({
    name,
    root,
    ...(typeof manifest['version'] === 'string' ? { version: manifest['version'] } : {}),
    commands: loadCommands(root, name, manifest),
    agents: pluginAgents(root, manifest, name),
    hooks: loadHooks(root, name, manifest, report),
    mcpServers: loadServers(root, manifest, report),
  });
}

type Report = (type: string, message: string, path?: string) => void;

function loadCommands(root: string, plugin: string, manifest: JsonObject): CommandDefinition[] {
  const origin = { source: 'plugin' as const, plugin: { name: plugin, root } };
  const files = [...commandFiles(root, manifest), ...skillFiles(root, manifest)];
  const { commands } = manifest;
  const inline = Object.entries(isObject(commands) ? commands : {}).flatMap(([name, entry]) =>
    isObject(entry) && typeof entry['content'] === 'string'
      ? [defineInline(name, entry['content'], entry, origin)]
      : [],
  );
  return [...files.flatMap((file) => readCommand(file, origin) ?? []), ...inline];
}

function loadHooks(root: string, name: string, manifest: JsonObject, report: Report): Hook[] {
  const origin = { source: 'plugin' as const, plugin: { name, root } };
  return hookSources(root, manifest).flatMap((source) => {
    if ('value' in source) return readHooks(source.value, origin).hooks;
    const text = readIfThere(source.file);
    if (text === undefined) return [];
    const document = parseJson(text);
    if (isObject(document)) return readHooks(document['hooks'], origin).hooks;
    report('hook-load-failed', `Hook load failed: ${jsonComplaint(text).replaceAll("'", '’')}`);
    return [];
  });
}

function loadServers(root: string, manifest: JsonObject, report: Report): JsonObject {
  const servers = serverSources(root, manifest).map((source): JsonObject => {
    if ('value' in source) return source.value;
    const text = readIfThere(source.file);
    if (text === undefined) return {};
    const found = serversOfDocument(parseJson(text));
    if (found === undefined) report('mcp-config-invalid', `Invalid JSON in ${source.file}`, source.file);
    return found ?? {};
  });
  return Object.assign({}, ...servers) as JsonObject;
}
