import { connect } from 'node:net';
import { configFile, mergeLayers, readLayers } from '../config.js';
import { Refusal, Unsupported } from '../refusal.js';
import { BadSetting } from '../setting-types.js';
import { checkSettings } from '../settings.js';
import type { Streams } from '../view.js';
import { type AuthStatus, serverAsJson, serverPage, serversAsJson, serverTables } from './describe.js';
import { serversIn, writeServers } from './edit-config.js';
import type { McpRequest } from './options.js';
import { type CodexServer, readServer } from './servers.js';

const NO_SERVERS = 'No MCP servers configured yet. Try `codex mcp add my-tool -- my-command`.\n';

export interface McpPlace {
  home: string;
  cwd: string;
  overrides: readonly string[];
  profile?: string;
}

/** `codex mcp`: shows the servers of the settings, and changes those of the user. */
export async function mcp(request: McpRequest, place: McpPlace, { out }: Streams): Promise<void> {
  switch (request.command) {
    case 'list': {
      const servers = effectiveServers(place);
      const listed = await Promise.all(servers.map(async (server) => ({ ...server, auth: await authOf(server) })));
      if (request.json) out(serversAsJson(listed));
      else out(listed.length === 0 ? NO_SERVERS : serverTables(listed));
      return;
    }
    case 'get': {
      const server = effectiveServers(place).find(({ name }) => name === request.name);
      if (server === undefined) throw new Refusal(`Error: No MCP server named '${request.name}' found.`);
      out(request.json ? serverAsJson(server) : serverPage(server));
      return;
    }
    case 'add':
      return await add(request, place, out);
    case 'remove':
      checkName(request.name);
      return remove(request.name, configFile(place.home), out);
  }
}

async function add(
  { name, url, tokenVariable, env, words: [command, ...args] }: Extract<McpRequest, { command: 'add' }>,
  place: McpPlace,
  out: Streams['out'],
): Promise<void> {
  effectiveServers(place);
  checkName(name);
  if (command === undefined && env.length > 0) throw new Refusal('Error: command is required');
  const variables = Object.fromEntries(env.map((text) => [text.split('=', 1)[0], text.slice(text.indexOf('=') + 1)]));
  const server = readServer(name, {
    ...(command === undefined ? { url } : { command, args }),
    ...(tokenVariable === undefined ? {} : { bearer_token_env_var: tokenVariable }),
    ...(env.length === 0 ? {} : { env: variables }),
  });
  const auth = await authOf(server);
  const file = configFile(place.home);
  writeServers(file, serversIn(file).set(name, server).values());
  out(`Added global MCP server '${name}'.\n`);
  if (auth === 'unknown') out(`MCP server may or may not require login. Run \`codex mcp login ${name}\` to login.\n`);
}

function remove(name: string, file: string, out: Streams['out']): void {
  const servers = serversIn(file);
  const isThere = servers.delete(name);
  if (isThere) writeServers(file, servers.values());
  out(isThere ? `Removed global MCP server '${name}'.\n` : `No MCP server named '${name}' found.\n`);
}

function effectiveServers(place: McpPlace): readonly CodexServer[] {
  try {
    return checkSettings(mergeLayers(readLayers({ ...place, ignoresUserConfig: false }))).servers;
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    const lines = error.lines.map((line) => `    ${line}`).join('\n');
    throw new Refusal(`Error: failed to load bootstrap configuration\n\nCaused by:\n${lines}`);
  }
}

function checkName(name: string): void {
  if (/^[\w:@/.-]+$/.test(name)) return;
  throw new Refusal(`Error: invalid server name '${name}' (use letters, numbers, '-', '_', ':', '@', '/', '.')`);
}

/** Codex asks an address how one signs in there. The stand-in only knows what it says of one that does not answer. */
async function authOf({ name, url, enabled, tokenVariable }: CodexServer): Promise<AuthStatus> {
  if (url === undefined || !enabled) return 'unsupported';
  if (tokenVariable !== undefined) return 'bearer_token';
  if (await answers(url)) throw new Unsupported(`to ask the MCP server '${name}' how one signs in at ${url}`);
  return 'unknown';
}

function answers(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return Promise.resolve(false);
  const { hostname, port, protocol } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)), timeout: 3000 });
    const end = (isThere: boolean) => (): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
