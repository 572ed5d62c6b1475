import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { adoptGroup, exitOnSignals, killGroup, LineReader } from '@understudy/kit';

interface ServerConfig {
  command?: unknown;
  args?: unknown;
  env?: unknown;
  disabled?: unknown;
}

/** The configured MCP servers, of the workspace and of the user, that do not start. */
export async function failingMcpServers(
  cwd: string,
  home: string,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<string[]> {
  const servers = {
    ...readServers(join(home, '.kiro/settings/mcp.json')),
    ...readServers(join(cwd, '.kiro/settings/mcp.json')),
  };
  const results = await Promise.all(
    Object.entries(servers)
      .filter(([, server]) => server.disabled !== true)
      .map(async ([name, server]) => ({ name, up: await comesUp(server, cwd, env, timeoutMs) })),
  );
  return results.filter(({ up }) => !up).map(({ name }) => name);
}

function readServers(file: string): Record<string, ServerConfig> {
  try {
    const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as { mcpServers?: Record<string, ServerConfig> };
    return mcpServers ?? {};
  } catch {
    return {};
  }
}

/** A server is up when it answers `initialize`. It is killed in any case, with what it has started. */
async function comesUp(server: ServerConfig, cwd: string, env: NodeJS.ProcessEnv, timeoutMs: number): Promise<boolean> {
  if (typeof server.command !== 'string') return false;
  const args = Array.isArray(server.args) ? server.args.map(String) : [];
  const own = typeof server.env === 'object' ? (server.env as NodeJS.ProcessEnv) : {};
  exitOnSignals();
  const child = spawn(server.command, args, {
    cwd,
    env: { ...env, ...own },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  adoptGroup(child.pid);
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'kiro-cli', version: '0' } };
  child.stdin.on('error', () => {});
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  const up = await new Promise<boolean>((settle) => {
    const reader = new LineReader((line) => {
      if (isInitializeResult(line)) settle(true);
    });
    child.once('error', () => settle(false));
    child.once('exit', () => settle(false));
    child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
    setTimeout(() => settle(false), timeoutMs).unref();
  });
  killGroup(child.pid);
  return up;
}

function isInitializeResult(line: string): boolean {
  try {
    const { id, result } = JSON.parse(line) as { id?: unknown; result?: unknown };
    return id === 0 && result !== undefined;
  } catch {
    return false;
  }
}
