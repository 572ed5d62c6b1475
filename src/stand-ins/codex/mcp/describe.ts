import type { CodexServer } from './servers.js';

/** How Codex signs in to a server, as far as it can tell. */
export type AuthStatus = 'unsupported' | 'unknown' | 'bearer_token';

const AUTH_WORDS: Record<AuthStatus, string> = {
  unsupported: 'Unsupported',
  unknown: 'Unknown',
  bearer_token: 'Bearer token',
};

export interface ListedServer extends CodexServer {
  auth: AuthStatus;
}

/** `codex mcp list`: a table of those that are started, and one of those that have an address. */
export function serverTables(servers: readonly ListedServer[]): string {
  const started = servers.filter(({ url }) => url === undefined);
  const addressed = servers.filter(({ url }) => url !== undefined);
  const status = ({ enabled }: CodexServer): string => (enabled ? 'enabled' : 'disabled');
  const tables = [
    started.length > 0 && [
      ['Name', 'Command', 'Args', 'Env', 'Cwd', 'Status', 'Auth'],
      ...started.map((server) => [
        ...[server.name, server.command ?? '', orDash(server.args.join(' ')), hidden(server.env)],
        ...[server.cwd ?? '-', status(server), AUTH_WORDS[server.auth]],
      ]),
    ],
    addressed.length > 0 && [
      ['Name', 'Url', 'Bearer Token Env Var', 'Status', 'Auth'],
      ...addressed.map((server) => [
        ...[server.name, server.url ?? '', server.tokenVariable ?? '-', status(server), AUTH_WORDS[server.auth]],
      ]),
    ],
  ];
  return tables.flatMap((rows) => (rows === false ? [] : [inColumns(rows)])).join('\n');
}

/** `codex mcp list --json` */
export function serversAsJson(servers: readonly ListedServer[]): string {
  return asJson(servers.map((server) => ({ ...head(server), ...timeouts(server), auth_status: server.auth })));
}

/** `codex mcp get --json` */
export function serverAsJson(server: CodexServer): string {
  const tools = { enabled_tools: server.enabledTools ?? null, disabled_tools: server.disabledTools ?? null };
  return asJson({ ...head(server), ...tools, ...timeouts(server) });
}

/** `codex mcp get` */
export function serverPage(server: CodexServer): string {
  const { name, enabled, enabledTools, disabledTools, url, startupTimeout, toolTimeout } = server;
  if (!enabled) return `${name} (disabled)\n`;
  const transport =
    url === undefined
      ? {
          transport: 'stdio',
          command: server.command,
          args: orDash(server.args.join(' ')),
          cwd: server.cwd ?? '-',
          env: hidden(server.env),
        }
      : {
          transport: 'streamable_http',
          url,
          bearer_token_env_var: server.tokenVariable ?? '-',
          http_headers: hidden(server.headers),
          env_http_headers: orDash(pairs(server.headerVariables ?? {}).join(', ')),
          http_headers_helper: '-',
        };
  const lines = {
    enabled,
    enabled_tools: enabledTools?.join(', '),
    disabled_tools: disabledTools?.join(', '),
    ...transport,
    startup_timeout_sec: startupTimeout,
    tool_timeout_sec: toolTimeout,
    remove: `codex mcp remove ${name}`,
  };
  const told = Object.entries(lines).filter(([, value]) => value !== undefined);
  return `${name}\n${told.map(([key, value]) => `  ${key}: ${value}\n`).join('')}`;
}

function head(server: CodexServer): object {
  const { name, enabled, url, command, args, env, cwd } = server;
  const transport =
    url === undefined
      ? { type: 'stdio', command, args, env: sorted(env), env_vars: [], cwd: cwd ?? null }
      : {
          type: 'streamable_http',
          url,
          bearer_token_env_var: server.tokenVariable ?? null,
          http_headers: sorted(server.headers),
          env_http_headers: sorted(server.headerVariables),
          http_headers_helper: null,
        };
  return { name, enabled, disabled_reason: null, transport };
}

function timeouts({ startupTimeout, toolTimeout }: CodexServer): object {
  return { startup_timeout_sec: startupTimeout ?? null, tool_timeout_sec: toolTimeout ?? null };
}

/** Seconds are never whole numbers there. */
function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/("(?:startup|tool)_timeout_sec": \d+)(,?)$/gm, '$1.0$2')}\n`;
}

function sorted(values: Record<string, string> | undefined): Record<string, string> | null {
  return values === undefined ? null : Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Values may be secrets. */
function hidden(values: Record<string, string> | undefined): string {
  return orDash(
    Object.keys(sorted(values) ?? {})
      .map((name) => `${name}=*****`)
      .join(', '),
  );
}

function pairs(values: Record<string, string>): string[] {
  return Object.entries(sorted(values) ?? {}).map(([name, value]) => `${name}=${value}`);
}

function orDash(text: string): string {
  return text === '' ? '-' : text;
}

function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`).join('');
}
