import { join, resolve } from 'node:path';
import { CliError, type ConfigPaths, fillAllVariables, type LoadedPlugin, pluginVariables } from '@understudy/agents';
import { isObject, isStringList, type JsonObject, parseJson, readIfThere } from '@understudy/kit';
import type { Options } from '../cli/options.js';

export type McpSource = 'dynamic' | 'project' | 'local' | 'user' | 'plugin' | 'sdk';

/** A server that the session should connect to. */
export interface McpServerConfig {
  name: string;
  source: McpSource;
  config: JsonObject;
  /** What a plugin's server finds in its environment. */
  variables?: Record<string, string>;
}

export interface McpRequest {
  options: Options;
  cwd: string;
  env: NodeJS.ProcessEnv;
  paths: ConfigPaths;
  settings: JsonObject;
  plugins: readonly LoadedPlugin[];
}

/** All MCP servers of a session, from the widest scope to the narrowest. The last of two with the same name counts, in the place of the first. */
export function findMcpServers({ options, cwd, env, paths, settings, plugins }: McpRequest): McpServerConfig[] {
  const found = new Map<string, McpServerConfig>();
  const add = (servers: unknown, source: McpSource, rename = (name: string): string => name, own = {}): void => {
    if (!isObject(servers)) return;
    const known = { ...env, ...own };
    for (const [short, config] of Object.entries(servers)) {
      const name = rename(short);
      if (isObject(config)) found.set(name, { name, source, config: fillAllVariables(config, known), variables: own });
    }
  };
  if (!options.strictMcpConfig && !options.bare) {
    const reads = (source: string): boolean => options.settingSources?.includes(source) ?? true;
    const state = parseJson(readIfThere(paths.state) ?? '');
    const projects = isObject(state) && isObject(state['projects']) ? state['projects'][cwd] : undefined;
    add(settings['mcpServers'], 'user');
    if (isObject(state) && reads('user')) add(state['mcpServers'], 'user');
    const project = parseJson(readIfThere(join(cwd, '.mcp.json')) ?? '');
    if (isObject(project) && reads('project')) add(withoutRejected(project['mcpServers'], settings), 'project');
    if (isObject(projects) && reads('local')) add(projects['mcpServers'], 'local');
  }
  for (const servers of readMcpFlags(options, cwd)) add(servers, 'dynamic');
  const own = [...found.values()];
  found.clear();
  for (const { id, name, root, mcpServers } of plugins)
    add(mcpServers, 'plugin', (server) => `plugin:${name}:${server}`, pluginVariables({ id, root }, paths.dir, cwd));
  return [...withoutSame([...found.values()], own), ...own];
}

/** A user may not want some of what the project has. */
function withoutRejected(servers: unknown, { disabledMcpjsonServers: rejected }: JsonObject): unknown {
  if (!isObject(servers) || !isStringList(rejected)) return servers;
  return Object.fromEntries(Object.entries(servers).filter(([name]) => !rejected.includes(name)));
}

/** Of plugins' servers only those count that nobody else has already: others would be started twice. */
function withoutSame(servers: readonly McpServerConfig[], others: readonly McpServerConfig[]): McpServerConfig[] {
  const known = new Set(others.map(({ config }) => whatIsStarted(config)));
  return servers.filter(({ config }) => {
    const started = whatIsStarted(config);
    const isNew = !known.has(started);
    known.add(started);
    return isNew;
  });
}

function whatIsStarted({ url, command, args = [], env = {} }: JsonObject): string {
  return JSON.stringify(url === undefined ? { command, args, env } : { url });
}

/** What each `--mcp-config` says. */
export function readMcpFlags({ mcpConfig }: Options, cwd: string): unknown[] {
  return mcpConfig.map((text) => readFlag(text, cwd));
}

/** `--mcp-config` takes JSON or the name of a file. */
function readFlag(text: string, cwd: string): unknown {
  const isJson = text.trim().startsWith('{') && parseJson(text) !== undefined;
  const file = resolve(cwd, text);
  const source = isJson ? text : readIfThere(file);
  if (source === undefined) throw invalid(`MCP config file not found: ${file}`);
  const document = parseJson(source);
  if (!isObject(document)) throw invalid('MCP config is not a valid JSON');
  if (!isObject(document['mcpServers']))
    throw invalid('mcpServers: Invalid input: expected record, received undefined');
  return document['mcpServers'];
}

function invalid(reason: string): CliError {
  return new CliError(`Error: Invalid MCP configuration:\n${reason}`);
}
