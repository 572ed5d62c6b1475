import { isObject, isStringList, type JsonObject } from '../../../document/json.js';
import { Unsupported } from '../refusal.js';
import { BadSetting, booleanIn, textIn, wrongType } from '../setting-types.js';

/** An MCP server of the settings. */
export interface CodexServer {
  name: string;
  enabled: boolean;
  /** A server that cannot be started ends the session. */
  required: boolean;
  command?: string | undefined;
  args: readonly string[];
  env?: Record<string, string> | undefined;
  cwd?: string | undefined;
  url?: string | undefined;
  tokenVariable?: string | undefined;
  headers?: Record<string, string> | undefined;
  headerVariables?: Record<string, string> | undefined;
  startupTimeout?: number | undefined;
  toolTimeout?: number | undefined;
  enabledTools?: readonly string[] | undefined;
  disabledTools?: readonly string[] | undefined;
}

const FIELDS = new Set([
  ...['enabled', 'required', 'command', 'args', 'env', 'cwd', 'url', 'bearer_token_env_var', 'http_headers'],
  ...['env_http_headers', 'startup_timeout_sec', 'tool_timeout_sec', 'enabled_tools', 'disabled_tools'],
]);

/** The servers of the settings, in the order of their names. */
export function readServers(values: JsonObject): CodexServer[] {
  const servers = values['mcp_servers'] ?? {};
  if (!isObject(servers)) throw wrongType(servers, 'a map', 'mcp_servers');
  return Object.entries(servers)
    .map(([name, server]) => readServer(name, server))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** One server, as it stands in the settings. */
export function readServer(name: string, server: unknown): CodexServer {
  const path = `mcp_servers.${name}`;
  if (!isObject(server)) throw wrongType(server, 'a map', path);
  const at = (key: string): string => `${path}.${key}`;
  const text = (key: string): string | undefined => textIn(server, key, at(key));
  const list = (key: string): string[] | undefined => listIn(server, key, at(key));
  const texts = (key: string): Record<string, string> | undefined => textsIn(server, key, at(key));
  const [command, url] = [text('command'), text('url')];
  if (command === undefined && url === undefined) throw new BadSetting('invalid transport', path);
  if (command !== undefined && url !== undefined) throw new BadSetting('url is not supported for stdio', path);
  const other = Object.keys(server).find((key) => !FIELDS.has(key));
  if (other !== undefined) throw new Unsupported(`the setting \`${at(other)}\``);
  return {
    ...{ name, command, url },
    enabled: booleanIn(server, 'enabled', at('enabled')) ?? true,
    required: booleanIn(server, 'required', at('required')) ?? false,
    args: list('args') ?? [],
    env: texts('env'),
    cwd: text('cwd'),
    tokenVariable: text('bearer_token_env_var'),
    headers: texts('http_headers'),
    headerVariables: texts('env_http_headers'),
    startupTimeout: numberIn(server, 'startup_timeout_sec', at('startup_timeout_sec')),
    toolTimeout: numberIn(server, 'tool_timeout_sec', at('tool_timeout_sec')),
    enabledTools: list('enabled_tools'),
    disabledTools: list('disabled_tools'),
  };
}

function listIn(values: JsonObject, key: string, path: string): string[] | undefined {
  const value = values[key];
  if (value === undefined || isStringList(value)) return value;
  throw wrongType(value, 'a sequence', path);
}

function numberIn(values: JsonObject, key: string, path: string): number | undefined {
  const value = values[key];
  if (value === undefined || typeof value === 'number') return value;
  throw wrongType(value, 'f64', path);
}

function textsIn(values: JsonObject, key: string, path: string): Record<string, string> | undefined {
  const value = values[key];
  if (value === undefined) return undefined;
  if (!isObject(value)) throw wrongType(value, 'a map', path);
  for (const name of Object.keys(value)) textIn(value, name, `${path}.${name}`);
  return value as Record<string, string>;
}
