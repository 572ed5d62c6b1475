import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject, type JsonObject, readIfThere } from '../../../document/json.js';
import { parseSource } from '../../../document/source.js';
import { Unsupported } from '../refusal.js';
import { type CodexServer, readServer } from './servers.js';

/** The servers in a file of settings, in their order there. */
export function serversIn(file: string): Map<string, CodexServer> {
  const values = parseSource(readIfThere(file) ?? '', 'toml', file).value as JsonObject;
  const servers = isObject(values['mcp_servers']) ? values['mcp_servers'] : {};
  return new Map(Object.entries(servers).map(([name, server]) => [name, readServer(name, server)]));
}

/** Writes all servers anew, in the place where they were, and leaves the rest of the file as it is. */
export function writeServers(file: string, servers: Iterable<CodexServer>): void {
  const text = readIfThere(file) ?? '';
  const blocks = blocksOf(text);
  if (/^mcp_servers\b/m.test(blocks[0] ?? ''))
    throw new Unsupported(`to change a server in ${file}, where servers do not stand in tables`);
  const first = blocks.findIndex(isServer);
  const others = (part: string[]): string => part.filter((block) => !isServer(block)).join('');
  const before = others(first === -1 ? blocks : blocks.slice(0, first)).trimEnd();
  const after = others(first === -1 ? [] : blocks.slice(first)).trim();
  const parts = [before, ...[...servers].flatMap(tablesOf), after].filter((part) => part !== '');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, parts.length === 0 ? '' : `${parts.join('\n\n')}\n`);
}

/** What stands before the first table, then each table with the comments above it. */
function blocksOf(text: string): string[] {
  const blocks: string[] = [''];
  let waiting = '';
  for (const line of text.split(/(?<=\n)/)) {
    if (/^\s*(?:#|\n|$)/.test(line)) {
      waiting += line;
      continue;
    }
    if (/^\s*\[/.test(line)) blocks.push('');
    blocks[blocks.length - 1] += `${waiting}${line}`;
    waiting = '';
  }
  blocks[blocks.length - 1] += waiting;
  return blocks;
}

function isServer(block: string): boolean {
  const header = block.split('\n').find((line) => /^\s*\[/.test(line)) ?? '';
  return /^\s*\[\s*mcp_servers\s*[.\]]/.test(header);
}

function tablesOf(server: CodexServer): string[] {
  const path = `mcp_servers.${key(server.name)}`;
  const fields: Record<string, string | undefined> = {
    command: optional(server.command, quoted),
    args: server.args.length === 0 ? undefined : list(server.args),
    cwd: optional(server.cwd, quoted),
    url: optional(server.url, quoted),
    bearer_token_env_var: optional(server.tokenVariable, quoted),
    enabled: server.enabled ? undefined : 'false',
    required: server.required ? 'true' : undefined,
    startup_timeout_sec: optional(server.startupTimeout, seconds),
    tool_timeout_sec: optional(server.toolTimeout, seconds),
    enabled_tools: optional(server.enabledTools, list),
    disabled_tools: optional(server.disabledTools, list),
  };
  const tables = { http_headers: server.headers, env_http_headers: server.headerVariables, env: server.env };
  return [
    table(path, fields),
    ...Object.entries(tables).flatMap(([name, values]) => {
      const entries = Object.entries(values ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
      const lines = Object.fromEntries(entries.map(([each, value]) => [key(each), quoted(value)]));
      return entries.length === 0 ? [] : [table(`${path}.${name}`, lines)];
    }),
  ];
}

function table(path: string, fields: Record<string, string | undefined>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name} = ${value}`]));
  return [`[${path}]`, ...lines].join('\n');
}

function optional<Value>(value: Value | undefined, write: (value: Value) => string): string | undefined {
  return value === undefined ? undefined : write(value);
}

function list(values: readonly string[]): string {
  return `[${values.map(quoted).join(', ')}]`;
}

function seconds(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : quoted(name);
}

/** A text in the quotes that Codex chooses for it. */
function quoted(text: string): string {
  if (/[^\P{Cc}\t]/u.test(text) || (/[\t\\]/.test(text) && /['"]/.test(text)))
    throw new Unsupported(`to write the text ${JSON.stringify(text)} into the settings`);
  if (!/["\\]/.test(text)) return `"${text.replaceAll('\t', '\\t')}"`;
  return text.includes("'") ? `"""${text}"""` : `'${text}'`;
}
