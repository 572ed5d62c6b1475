import { isObject } from '../../document/json.js';
import type { McpSession } from './mcp/session.js';
import { type GeminiOptions, NotSupported } from './options.js';
import type { McpPolicyOptions } from './policy/mcp-policy.js';
import type { GeminiSettings } from './settings.js';
import type { Streams } from './view.js';

/** Prompts of servers are commands, and what they keep can stand behind an @. */
export function refuseServerWords(prompt: string, mcp: McpSession | undefined): void {
  const called = /^\/(\S+)/.exec(prompt)?.[1] ?? '';
  if (mcp?.prompts.includes(called)) throw new NotSupported(`the prompt /${called} of an MCP server`);
  const kept = mcp?.resources.find(({ server, uri }) => prompt.includes(`@${server}:${uri}`));
  if (kept !== undefined) throw new NotSupported(`@${kept.server}:${kept.uri} in a prompt`);
}

/** Starts the servers of the settings; undefined where there are none. */
export async function startServers(
  { servers, serverNames }: GeminiSettings,
  { allowedServers }: GeminiOptions,
  { folders, env, streams }: { folders: readonly string[]; env: NodeJS.ProcessEnv; streams: Streams },
): Promise<McpSession | undefined> {
  if (Object.keys(servers).length === 0) return undefined;
  const { startMcpServers } = await import('./mcp/session.js');
  // Who names servers on the command line does not care for those that settings exclude.
  const names = allowedServers === undefined ? serverNames : { allowed: allowedServers, excluded: [] };
  return await startMcpServers(servers, names, { folders, env, warn: (line) => streams.error(`${line}\n`) });
}

/** Which tools of servers may be used. */
export function serverRules(
  { servers, toolServers, excludedTools, allowsAllServers }: GeminiSettings,
  { allowedServers }: GeminiOptions,
  more: Pick<McpPolicyOptions, 'mode' | 'allowedTools' | 'coreTools'>,
): McpPolicyOptions {
  const isTrusted = (server: unknown): boolean => isObject(server) && Boolean(server['trust']);
  return {
    ...more,
    excludedTools,
    allowedServers: allowedServers ?? toolServers.allowed,
    excludedServers: toolServers.excluded,
    trustedServers: Object.keys(servers).filter((name) => allowsAllServers || isTrusted(servers[name])),
  };
}
