import { CLAUDE_VERSION } from '../../../claude-code/built-in.js';
import { CliError } from '../../../claude-code/cli-error.js';
import { isObject, isStringList, type JsonObject, parseJson } from '../../../document/json.js';
import type { ServerError } from '../../shared/mcp/peer.js';
import { writeOut } from '../../shared/write-out.js';
import { type ParsedArguments, parseCommand } from '../cli/arguments.js';
import { many, one } from '../cli/flags.js';
import type { McpServerConfig } from '../mcp/config.js';
import type { McpServer } from '../mcp/server.js';
import type { Command } from './command.js';
import { approvalOf, readScope, SCOPES, type Scope, ServerFile } from './server-files.js';

const SCOPE = one('scope', '--scope', '-s');

const HTTP = { http: 'HTTP', 'streamable-http': 'HTTP', sse: 'SSE' } as const;

const DESCRIBED: Record<Scope, string> = {
  local: 'Local config (private to you in this project)',
  project: 'Project config (shared via .mcp.json)',
  user: 'User config (available in all your projects)',
};

/** `claude mcp add NAME COMMAND-OR-URL ARGS…` */
export const addServer: Command = (words, env) => {
  const { positional, flags } = parseCommand(words, [
    SCOPE,
    one('transport', '--transport', '-t'),
    many('env', '--env', '-e'),
    many('header', '--header', '-H'),
  ]);
  const [name, target, ...args] = positional;
  if (name === undefined) throw missing('name');
  if (target === undefined) throw missing('commandOrUrl');
  const file = new ServerFile(readScope(last(flags, '--scope')), env);
  const transport = last(flags, '--transport') ?? 'stdio';
  if (transport !== 'stdio' && !Object.hasOwn(HTTP, transport))
    throw new CliError(`Invalid transport type: ${transport}. Must be one of: stdio, sse, http (or streamable-http)`);
  if (transport !== 'stdio') {
    const headers = readHeaders(flags.get('--header') ?? []);
    const hasHeaders = Object.keys(headers).length > 0;
    const type = transport === 'sse' ? 'sse' : 'http';
    addTo(file, name, { type, url: target, ...(hasHeaders ? { headers } : {}) });
    const shown = hasHeaders ? `Headers: ${JSON.stringify(headers, null, 2)}\n` : '';
    return `Added ${HTTP[type]} MCP server ${name} with URL: ${target} to ${file.scope} config\n${shown}${modified(file)}`;
  }
  addTo(file, name, { type: 'stdio', command: target, args, env: readVariables(flags.get('--env') ?? []) });
  if (/^https?:\/\//.test(target)) warnOfUrl(name, target);
  return `Added stdio MCP server ${name} with command: ${target} ${args.join(' ')} to ${file.scope} config\n${modified(file)}`;
};

/** `claude mcp add-json NAME JSON` */
export const addServerOfJson: Command = (words, env) => {
  const { positional, flags } = parseCommand(words, [SCOPE]);
  const [name, text] = positional;
  if (name === undefined) throw missing('name');
  if (text === undefined) throw missing('json');
  const file = new ServerFile(readScope(last(flags, '--scope')), env);
  const server = parseJson(text);
  if (!isObject(server) || typeof (server['command'] ?? server['url']) !== 'string')
    throw new CliError('Invalid configuration: : Invalid input');
  addTo(file, name, server);
  return `Added ${typeOf(server)} MCP server ${name} to ${file.scope} config\n`;
};

/** `claude mcp list`: looks whether each can be reached. */
export const listServers: Command = async (words, env) => {
  parseCommand(words, []);
  const servers = configured(env).filter(
    ({ name, scope }) => scope !== 'project' || approvalOf(name, env) !== 'rejected',
  );
  if (servers.length === 0) return 'No MCP servers configured. Use `claude mcp add` to add a server.\n';
  const healths = await healthOf(servers, env);
  const lines = servers.map(({ name, config }, index) => {
    const kind = typeOf(config);
    const shown =
      kind === 'stdio' ? commandOf(config) : `${config['url']} (${HTTP[kind as keyof typeof HTTP] ?? kind})`;
    const { status, issue } = healths[index] ?? PENDING;
    return `${name}: ${shown} - ${status}${issue === undefined ? '' : ` — ${issue}`}\n`;
  });
  return `Checking MCP server health…\n\n${lines.join('')}${conflicts(env)}`;
};

/** `claude mcp get NAME` */
export const showServer: Command = async (words, env) => {
  const [name] = parseCommand(words, []).positional;
  if (name === undefined) throw missing('name');
  const servers = configured(env);
  const server = servers.find((one) => one.name === name);
  if (server === undefined) throw noServer(name, env, ({ scope }) => scope !== 'project');
  const [health = PENDING] = await healthOf([server], env);
  const { config, scope } = server;
  const pairs = (title: string, values: unknown, sign: string): string[] =>
    isObject(values) ? [title, ...Object.entries(values).map(([key, value]) => `  ${key}${sign}${value}`)] : [];
  const facts = [
    `Scope: ${DESCRIBED[scope]}`,
    `Status: ${health.status}`,
    ...(health.issue === undefined ? [] : [`Issue: ${health.issue}`]),
    `Type: ${typeOf(config)}`,
    ...(typeOf(config) === 'stdio'
      ? [
          `Command: ${config['command']}`,
          `Args: ${argsOf(config).join(' ')}`,
          ...pairs('Environment:', config['env'], '='),
        ]
      : [`URL: ${config['url']}`, ...pairs('Headers:', config['headers'], ': ')]),
  ];
  return `${name}:\n${facts.map((fact) => `  ${fact}\n`).join('')}\nTo remove this server, run: claude mcp remove ${name} -s ${scope}\n`;
};

/** `claude mcp remove NAME` */
export const removeServer: Command = (words, env) => {
  const { positional, flags } = parseCommand(words, [SCOPE]);
  const [name] = positional;
  if (name === undefined) throw missing('name');
  const given = last(flags, '--scope');
  if (given !== undefined) {
    const file = new ServerFile(readScope(given), env);
    if (!Object.hasOwn(file.servers, name)) throw new CliError(`No MCP server named "${name}" in ${file.scope} scope`);
    file.remove(name);
    return `Removed MCP server ${name} from ${file.scope} config\n${modified(file)}`;
  }
  const files = SCOPES.map((scope) => new ServerFile(scope, env)).filter(({ servers }) => Object.hasOwn(servers, name));
  const [file, ...more] = files;
  if (file === undefined) throw noServer(name, env);
  if (more.length > 0) {
    const found = files.map(({ scope, shown }) => `  - ${DESCRIBED[scope]} (${shown})\n`).join('');
    const ways = files.map(({ scope }) => `\n  claude mcp remove ${name} -s ${scope}`).join('');
    throw new CliError(
      `MCP server "${name}" exists in multiple scopes:\n${found}\nTo remove from a specific scope, use:${ways}`,
    );
  }
  file.remove(name);
  return `Removed MCP server "${name}" from ${file.scope} config\n${modified(file)}`;
};

interface Configured {
  name: string;
  scope: Scope;
  config: JsonObject;
}

/** From the widest to the narrowest. */
const ORDER: readonly Scope[] = ['user', 'project', 'local'];

/** All servers, in the order of the lists of the CLI. Of two with the same name, that of the narrower scope counts. */
function configured(env: NodeJS.ProcessEnv): Configured[] {
  const found = new Map<string, Configured>();
  for (const scope of ORDER) {
    for (const [name, config] of Object.entries(new ServerFile(scope, env).servers))
      if (isObject(config)) found.set(name, { name, scope, config });
  }
  return [...found.values()];
}

/** What the CLI says of names that stand for different servers. */
function conflicts(env: NodeJS.ProcessEnv): string {
  const files = ORDER.map((scope) => new ServerFile(scope, env));
  const names = new Set(files.flatMap(({ servers }) => Object.keys(servers)));
  const lines = [...names].flatMap((name) => {
    const places = files.flatMap(({ scope, servers }) => {
      const config = Object.hasOwn(servers, name) ? servers[name] : undefined;
      return isObject(config) ? [{ scope, endpoint: endpointOf(config) }] : [];
    });
    if (new Set(places.map(({ endpoint }) => endpoint)).size < 2) return [];
    const defined = places.map(({ scope, endpoint }) => `${scope} (${endpoint})`).join(', ');
    const ways = places.map(({ scope }) => `\`claude mcp remove ${name} -s ${scope}\``).join(' or ');
    return [
      `├ Server "${name}" is defined in multiple scopes with different endpoints: ${defined}. OAuth tokens are stored per endpoint, so authenticating in one context will not carry over.`,
      `└ Keep the correct endpoint and remove the others: ${ways}`,
    ];
  });
  if (lines.length === 0) return '';
  const help = 'For help configuring MCP servers, see: https://code.claude.com/docs/en/mcp';
  return `\nMCP config diagnostics ⚠\n\n${help}\n\n[Conflicting scopes]\n${lines.join('\n')}\n`;
}

function endpointOf(config: JsonObject): string {
  return typeOf(config) === 'stdio' ? commandOf(config).trim() : String(config['url']);
}

interface Health {
  status: string;
  issue?: string;
}

/** What a project asks for, its user has to allow first. */
const PENDING: Health = { status: '⏸ Pending approval (run `claude` to approve)' };

const REJECTED: Health = { status: '✘ Rejected (see disabledMcpjsonServers in settings)' };

async function healthOf(servers: readonly Configured[], env: NodeJS.ProcessEnv): Promise<Health[]> {
  const tried = servers.filter(({ name, scope }) => scope !== 'project' || approvalOf(name, env) === 'approved');
  const { McpServers } = await import('../mcp/servers.js');
  const connected = new McpServers(
    tried.map(({ name, scope, config }): McpServerConfig => ({ name, source: scope, config })),
    { cwd: process.cwd(), env, version: CLAUDE_VERSION, host: undefined, asksOnce: true },
  );
  await connected.settled();
  const healths = new Map(connected.all.map((server) => [server.name, healthIn(server)]));
  await connected.close(true);
  return servers.map(({ name }) => healths.get(name) ?? (approvalOf(name, env) === 'rejected' ? REJECTED : PENDING));
}

function healthIn({ status, error, listProblem }: McpServer): Health {
  if (status === 'needs-auth') return { status: '! Needs authentication' };
  if (error !== undefined) return { status: '✘ Failed to connect', issue: issueOf(error) };
  if (listProblem !== undefined) return { status: '! Connected · tools fetch failed', issue: listProblem };
  return { status: '✔ Connected' };
}

/** Why a server cannot be reached, on one line. */
function issueOf({ code, message }: ServerError): string {
  const words = message.replaceAll(/\s+/g, ' ');
  return code === undefined ? words : `${code}: ${words}`;
}

function addTo(file: ServerFile, name: string, server: JsonObject): void {
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    throw new CliError(`Invalid name ${name}. Names can only contain letters, numbers, hyphens, and underscores.`);
  if (Object.hasOwn(file.servers, name))
    throw new CliError(
      file.scope === 'project'
        ? `MCP server ${name} already exists in .mcp.json`
        : `MCP server ${name} already exists in ${file.scope} config`,
    );
  file.set(name, server);
}

function warnOfUrl(name: string, url: string): void {
  const ways = ['HTTP', 'SSE'].map(
    (kind) => `If this is an ${kind} server, use: claude mcp add --transport ${kind.toLowerCase()} ${name} ${url}\n`,
  );
  writeOut(
    2,
    `\nWarning: The command "${url}" looks like a URL, but is being interpreted as a stdio server as --transport was not specified.\n${ways.join('')}`,
  );
}

function readVariables(given: readonly string[]): JsonObject {
  return Object.fromEntries(
    given.map((text) => {
      const equals = text.indexOf('=');
      if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)];
      throw new CliError(
        `Invalid environment variable format: ${text}, environment variables should be added as: -e KEY1=value1 -e KEY2=value2`,
      );
    }),
  );
}

function readHeaders(given: readonly string[]): JsonObject {
  return Object.fromEntries(
    given.map((text) => {
      const colon = text.indexOf(':');
      if (colon > 0) return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
      throw new CliError(`Invalid header format: "${text}". Expected format: "Header-Name: value"`);
    }),
  );
}

function typeOf({ type, command }: JsonObject): string {
  return typeof type === 'string' ? type : command === undefined ? 'http' : 'stdio';
}

function argsOf({ args }: JsonObject): string[] {
  return isStringList(args) ? args : [];
}

function commandOf(config: JsonObject): string {
  return `${config['command']} ${argsOf(config).join(' ')}`;
}

function modified(file: ServerFile): string {
  return `File modified: ${file.shown}\n`;
}

function missing(argument: string): CliError {
  return new CliError(`error: missing required argument '${argument}'`);
}

function noServer(name: string, env: NodeJS.ProcessEnv, isNamed = (_: Configured): boolean => true): CliError {
  const all = configured(env);
  const named = all.filter(isNamed);
  const others = named.length < all.length ? ` (${AWAITING})` : '';
  const names = named.map((one) => one.name).sort();
  const known = names.length === 0 ? 'Run `claude mcp add` to add one.' : `Configured servers: ${names.join(', ')}`;
  return new CliError(`No MCP server named "${name}". ${known}${others}`);
}

const AWAITING = '.mcp.json servers are awaiting approval — run `claude` in this directory to review them.';

function last(flags: ParsedArguments['flags'], name: string): string | undefined {
  return flags.get(name)?.at(-1);
}
