import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { defined, isObject, type JsonObject } from '@understudy/kit';
import { type AgentDefinition, pluginAgents } from '../agent-definitions.js';
import type { Hook } from '../hooks/hook.js';
import { type HooksOrigin, readHooks } from '../hooks/load.js';
import { jsonComplaint } from '../json-complaint.js';
import { inlineId, type PluginOrigin } from '../plugin-origin.js';
import { type CommandDefinition, type CommandsOrigin, defineInline, readCommand } from '../slash-commands.js';
import { commandFiles, skillFiles, workflowFiles } from './components.js';
import { hookDocuments, type PluginDocument, readDocument, readPluginManifest, serverDocuments } from './documents.js';
import { LANGUAGE_SERVERS_FILE, MANIFEST_FILE, serversOfDocument } from './layout.js';
import { dependenciesOf, ignoredFields } from './manifest-problems.js';
import { documentProblem, inSlantedQuotes, pathProblems, refuseHooks, refuseManifest } from './refusals.js';

/** A plugin that was loaded, with all that it brings. */
export interface LoadedPlugin extends PluginOrigin {
  version?: string;
  commands: CommandDefinition[];
  /** Those of all plugins come behind the commands of all plugins. */
  skills: CommandDefinition[];
  agents: AgentDefinition[];
  hooks: Hook[];
  mcpServers: JsonObject;
  /** It brings servers that know a language: the CLI then has a tool to ask them. */
  hasLanguageServers: boolean;
  hasWorkflows: boolean;
  /** The names of the plugins without which it is not loaded. */
  needs: string[];
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
  /** They keep nothing from being loaded. */
  warnings: PluginProblem[];
}

/** Loads the plugins that `--plugin-dir` names. A folder of plugins stands for each of them. */
export function loadPlugins(directories: readonly string[], cwd: string): LoadedPlugins {
  const loaded: LoadedPlugins = { plugins: [], problems: [], warnings: [] };
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
    for (const folder of pluginFolders(root)) loadPlugin(folder, index, loaded);
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

/** How a problem names the plugin of a folder. */
function labelOf(root: string): string {
  return inlineId(basename(root));
}

function loadPlugin(root: string, index: number, into: LoadedPlugins): void {
  const document = readPluginManifest(root);
  const manifest = isObject(document.value) ? document.value : {};
  const unnamed = refuseManifest(document, basename(root));
  const hooks = unnamed === undefined ? hookDocuments(root, manifest) : [];
  const refusal = unnamed ?? refuseHooks(hooks);
  if (refusal !== undefined) {
    into.problems.push({ plugin: `inline[${index}]`, type: 'generic-error', ...refusal, path: root });
    return;
  }
  const name = String(manifest['name']);
  const report = (type: string, message: string, path?: string): void => {
    const plugin = path === undefined ? labelOf(root) : name;
    into.problems.push({ plugin, type, message, ...defined({ path }) });
  };
  for (const { type, message } of pathProblems(root, manifest)) report(type, message);
  for (const field of ignoredFields(manifest)) {
    const why = 'is malformed and ignored. Earlier versions of Claude Code refused this plugin';
    into.warnings.push({
      plugin: labelOf(root),
      type: 'manifest-field-ignored',
      message: `"${field}" in plugin.json ${why}`,
    });
  }
  into.plugins.push(readParts({ id: inlineId(name), name, root }, manifest, hooks, report));
}

type Report = (type: string, message: string, path?: string) => void;

function readParts(
  origin: PluginOrigin,
  manifest: JsonObject,
  hooks: readonly PluginDocument[],
  report: Report,
): LoadedPlugin {
  const { name, root } = origin;
  const from = { source: 'plugin' as const, plugin: origin };
  return {
    ...origin,
    ...(typeof manifest['version'] === 'string' ? { version: manifest['version'] } : {}),
    commands: commandFiles(root, manifest).flatMap((file) => readCommand(file, from) ?? []),
    skills: [
      ...skillFiles(root, manifest).flatMap((file) => readCommand(file, from) ?? []),
      ...inlineCommands(manifest, from),
    ],
    agents: pluginAgents(root, manifest, name),
    hooks: loadHooks(hooks, from, report),
    mcpServers: loadServers(root, manifest, report),
    hasLanguageServers: hasLanguageServers(root, manifest),
    hasWorkflows: workflowFiles(root, manifest).length > 0,
    needs: dependenciesOf(manifest).map((one) => one.name),
  };
}

function inlineCommands({ commands }: JsonObject, from: CommandsOrigin): CommandDefinition[] {
  return Object.entries(isObject(commands) ? commands : {}).flatMap(([name, entry]) =>
    isObject(entry) && typeof entry['content'] === 'string' ? [defineInline(name, entry['content'], entry, from)] : [],
  );
}

function loadHooks(documents: readonly PluginDocument[], origin: HooksOrigin, report: Report): Hook[] {
  return documents.flatMap(({ file, text, value }) => {
    if (file === undefined) return readHooks(value, origin);
    if (text === undefined) return [];
    const why = value === undefined ? jsonComplaint(text) : documentProblem(value);
    if (why === undefined) return readHooks((value as JsonObject)['hooks'], origin);
    report('hook-load-failed', `Hook load failed: ${inSlantedQuotes(why)}`);
    return [];
  });
}

function loadServers(root: string, manifest: JsonObject, report: Report): JsonObject {
  const servers = serverDocuments(root, manifest).map(({ file, text, value }): JsonObject => {
    if (file === undefined) return value as JsonObject;
    if (text === undefined) return {};
    const found = serversOfDocument(value);
    if (found === undefined) report('mcp-config-invalid', `Invalid JSON in ${file}`, file);
    return found ?? {};
  });
  return Object.assign({}, ...servers) as JsonObject;
}

function hasLanguageServers(root: string, { lspServers = [] }: JsonObject): boolean {
  const declared = [LANGUAGE_SERVERS_FILE, ...(Array.isArray(lspServers) ? lspServers : [lspServers])];
  return declared.some((one: unknown) => {
    const servers = typeof one === 'string' ? readDocument(join(root, one)).value : one;
    return isObject(servers) && Object.keys(servers).length > 0;
  });
}
