import { isObject, type JsonObject } from '@understudy/kit';
import { changingServers } from '../session/connect-mcp.js';
import type { Session } from '../session/session.js';

/** Gives the session the servers of a host, in place of those that it gave before. */
export async function setServers(session: Session, { servers }: JsonObject): Promise<JsonObject> {
  if (!isObject(servers) || !Object.values(servers).every(isObject))
    throw new Error('mcp_set_servers: servers must be an object of config objects');
  const given = Object.entries(servers as Record<string, JsonObject>).map(([name, config]) => {
    const source = config['type'] === 'sdk' ? ('sdk' as const) : ('dynamic' as const);
    return { name, source, config };
  });
  return (await changingServers(session)).set(given);
}

export async function toggleServer(session: Session, { serverName, enabled }: JsonObject): Promise<undefined> {
  const name = textOf('mcp_toggle', serverName);
  if (typeof enabled !== 'boolean') throw new Error('mcp_toggle: enabled must be a boolean');
  await (await changingServers(session)).toggle(name, enabled);
}

export async function reconnectServer(session: Session, { serverName }: JsonObject): Promise<undefined> {
  await (await changingServers(session)).reconnect(textOf('mcp_reconnect', serverName));
}

function textOf(request: string, name: unknown): string {
  if (typeof name !== 'string') throw new Error(`${request}: serverName must be a string`);
  return name;
}
