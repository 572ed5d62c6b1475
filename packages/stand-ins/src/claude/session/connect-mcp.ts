import { defined } from '@understudy/kit';
import { findMcpServers, type McpServerConfig } from '../mcp/config.js';
import type { McpServers } from '../mcp/servers.js';
import type { Session } from './session.js';

export type { ServerAnswer } from '../mcp/servers.js';

/** Starts the MCP servers of a session. The MCP client is loaded only when there is a server. */
export async function connectMcp(session: Session, hostServers: readonly string[] = []): Promise<void> {
  const { options, cwd, env, paths, settings, plugins } = session.parts;
  const configs = findMcpServers({ options, cwd, env, paths, settings, plugins });
  for (const name of hostServers) configs.push({ name, source: 'sdk', config: { type: 'sdk', name } });
  if (configs.length > 0) await startServers(session, configs);
}

/** The servers of a session to which a host may add some. */
export async function changingServers(session: Session): Promise<McpServers> {
  return session.mcp ?? startServers(session, []);
}

async function startServers(session: Session, configs: readonly McpServerConfig[]): Promise<McpServers> {
  const { cwd, version, script } = session.parts;
  const { McpServers } = await import('../mcp/servers.js');
  const timeoutMs = script.scenario.document.timeouts?.mcp_timeout_ms;
  session.mcp = new McpServers(configs, {
    cwd,
    env: session.childEnvironment('server'),
    version,
    host: session.parts.host,
    ...defined({ timeoutMs }),
  });
  return session.mcp;
}
