/** How our server is added to a client: the file, and what to write into it. */
export interface ClientConfig {
  client: string;
  file: string;
  /** The entry as it stands in the file. */
  text: string;
  /** A command that does the same. */
  command?: string;
}

export type ServerAddress =
  | { transport: 'stdio'; command: readonly string[] }
  | { transport: 'http'; url: string; token?: string };

/** Ready entries for the clients that we know. */
export function clientConfigs(address: ServerAddress): ClientConfig[] {
  return [claude(address), opencode(address), codex(address), gemini(address), other(address)];
}

function claude(address: ServerAddress): ClientConfig {
  const entry =
    address.transport === 'stdio'
      ? { type: 'stdio', ...program(address.command) }
      : { type: 'http', url: address.url, ...headers(address) };
  return {
    client: 'Claude Code',
    file: '.mcp.json',
    text: json({ mcpServers: { understudy: entry } }),
    command: `claude mcp add-json understudy '${JSON.stringify(entry)}'`,
  };
}

function opencode(address: ServerAddress): ClientConfig {
  const entry =
    address.transport === 'stdio'
      ? { type: 'local', command: address.command, enabled: true }
      : { type: 'remote', url: address.url, ...headers(address), enabled: true };
  return { client: 'OpenCode', file: 'opencode.json', text: json({ mcp: { understudy: entry } }) };
}

function codex(address: ServerAddress): ClientConfig {
  const lines =
    address.transport === 'stdio'
      ? [
          `command = ${JSON.stringify(address.command[0])}`,
          `args = [${address.command
            .slice(1)
            .map((arg) => JSON.stringify(arg))
            .join(', ')}]`,
        ]
      : [
          `url = ${JSON.stringify(address.url)}`,
          ...(address.token === undefined ? [] : [`http_headers = { Authorization = "Bearer ${address.token}" }`]),
        ];
  return { client: 'Codex', file: '~/.codex/config.toml', text: ['[mcp_servers.understudy]', ...lines].join('\n') };
}

function gemini(address: ServerAddress): ClientConfig {
  const entry =
    address.transport === 'stdio' ? program(address.command) : { httpUrl: address.url, ...headers(address) };
  return { client: 'Gemini CLI', file: '.gemini/settings.json', text: json({ mcpServers: { understudy: entry } }) };
}

function other(address: ServerAddress): ClientConfig {
  const entry = address.transport === 'stdio' ? program(address.command) : { url: address.url, ...headers(address) };
  return { client: 'others', file: 'mcp.json', text: json({ mcpServers: { understudy: entry } }) };
}

function program([command = 'understudy', ...args]: readonly string[]) {
  return { command, args };
}

function headers(address: ServerAddress): { headers?: Record<string, string> } {
  if (address.transport === 'stdio' || address.token === undefined) return {};
  return { headers: { Authorization: `Bearer ${address.token}` } };
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
