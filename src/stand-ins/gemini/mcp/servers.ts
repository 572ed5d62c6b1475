import { defined } from '../../../document/defined.js';
import { isObject, isStringList, type JsonObject } from '../../../document/json.js';
import { NotSupported } from '../options.js';

/** An MCP server that is started. */
export interface GeminiServer {
  name: string;
  command: string;
  args: readonly string[];
  /** As the settings have them, for hooks. */
  givenArgs?: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
  timeoutMs?: number;
  /** The only tools of it that there are. */
  includeTools?: readonly string[];
  excludeTools: readonly string[];
}

/** Which servers may be started. */
export interface ServerNames {
  allowed: readonly string[];
  excluded: readonly string[];
}

/** The servers of the settings that are started. Those that say neither a command nor an address are left out. */
export function readServers(servers: Readonly<Record<string, unknown>>, names: ServerNames): GeminiServer[] {
  return Object.entries(servers).flatMap(([name, server]) => {
    if (!isObject(server)) throw new NotSupported(`the MCP server ${name}, which is no object`);
    const { command, url, httpUrl } = server;
    if (!command && !url && !httpUrl) return [];
    if (names.allowed.length > 0 && !names.allowed.includes(name)) return [];
    if (names.excluded.includes(name)) return [];
    if (url || httpUrl) throw new NotSupported(`the MCP server ${name}, which has an address`);
    return [readServer(name, server)];
  });
}

function readServer(name: string, server: JsonObject): GeminiServer {
  const { command, args, env, cwd, timeout, includeTools, excludeTools } = server;
  const wrong = (field: string): NotSupported => new NotSupported(`the MCP server ${name} with this \`${field}\``);
  if (server['authProviderType'] !== undefined) throw wrong('authProviderType');
  if (typeof command !== 'string') throw wrong('command');
  const list = (field: string, value: unknown): string[] | undefined => {
    if (value === undefined || isStringList(value)) return value;
    throw wrong(field);
  };
  const variables = isObject(env) ? Object.entries(env) : [];
  if (variables.some(([, value]) => typeof value !== 'string') || (env !== undefined && !isObject(env)))
    throw wrong('env');
  if (cwd !== undefined && typeof cwd !== 'string') throw wrong('cwd');
  if (timeout !== undefined && typeof timeout !== 'number') throw wrong('timeout');
  // The real CLI cuts longer names of tools, and says so again and again.
  if (name.length > 40) throw new NotSupported(`the MCP server ${name}, whose name is so long`);
  return {
    ...{ name, command, args: list('args', args) ?? [] },
    env: Object.fromEntries(variables) as Record<string, string>,
    excludeTools: list('excludeTools', excludeTools) ?? [],
    ...defined({
      cwd,
      givenArgs: list('args', args),
      timeoutMs: timeout,
      includeTools: list('includeTools', includeTools),
    }),
  };
}
