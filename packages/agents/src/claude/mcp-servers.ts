import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined, inWords, tellingLine, UnderstudyError, UntrustedFolder } from '@understudy/kit';
import * as z from 'zod/mini';
import type { EventBody } from '../events.js';
import { lostServer } from '../lost-server.js';

const serverSchema = z.looseObject({
  name: z.string(),
  status: z.string(),
  error: z.optional(z.string()),
  config: z.optional(z.looseObject({ command: z.optional(z.string()) })),
});

const statusSchema = z.looseObject({ mcpServers: z._default(z.array(serverSchema), []) });

/** An MCP server of a session, as the CLI reports it. `log` is the most telling line of its stderr. */
export type McpServerState = z.infer<typeof serverSchema> & { log?: string };

/** Asks the CLI over its control protocol. */
type Ask = (subtype: string) => Promise<unknown>;

const POLL_MS = 50;

/** The CLI writes the logs of its servers once a second. */
const LOG_MS = 1_500;

/** The state of a session's MCP servers, once none of them is still starting or the time is over. */
export async function settledServers(ask: Ask, withinMs: number): Promise<McpServerState[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const { mcpServers } = statusSchema.parse(await ask('mcp_status'), inWords);
    if (!mcpServers.some(isPending) || performance.now() > deadline) return mcpServers;
    await sleep(POLL_MS);
  }
}

export function isPending({ status }: Pick<McpServerState, 'status'>): boolean {
  return status === 'pending';
}

/** The same servers; those that did not come up with what they wrote to stderr. */
export async function withLogs(servers: readonly McpServerState[], home: string): Promise<McpServerState[]> {
  const deadline = performance.now() + LOG_MS;
  const withLog = async (server: McpServerState): Promise<McpServerState> => {
    if (!mayHaveLog(server)) return server;
    for (;;) {
      const log = serverLog(home, server.name);
      if (log !== undefined || performance.now() > deadline) return { ...server, ...defined({ log }) };
      await sleep(POLL_MS);
    }
  };
  return Promise.all(servers.map(withLog));
}

/** Servers that went away during a call. */
export class LostServers {
  readonly #names = new Set<string>();

  note(event: EventBody): void {
    const lost = event.type === 'tool_result' ? lostServer(event) : undefined;
    if (lost !== undefined) this.#names.add(lost);
  }

  /** When the CLI has ended, its logs of them are complete. */
  states(home: string): McpServerState[] {
    return [...this.#names].map((name) => ({ name, status: 'failed', ...defined({ log: serverLog(home, name) }) }));
  }
}

/** A program that was started and ended, or said nothing, may have said why. */
function mayHaveLog({ status, error = '', config }: McpServerState): boolean {
  if (config?.command === undefined) return false;
  return status === 'pending' || (status === 'failed' && /closed|time/i.test(error));
}

/** Why a server is not connected, in one line. */
export function describeState({ status, error, log }: McpServerState): string {
  return [status, error, log].filter((part) => part !== undefined && part !== '').join(': ');
}

/** The error of servers that are still starting when the time is over. */
export function notReady(late: readonly McpServerState[], milliseconds: number): UnderstudyError {
  const states = late.map((server) => `${server.name} (${describeState(server)})`).join(', ');
  const what = late.length === 1 ? 'the MCP server' : 'the MCP servers';
  return new UnderstudyError('AGENT_SERVER_NOT_READY', `${what} ${states} did not come up within ${milliseconds} ms`, {
    fix: 'Make it start faster, give it longer with `start.timeout_ms` (`deadlines.serversMs`), or replace it with `[mcp.NAME]`.',
  });
}

const entrySchema = z.looseObject({ error: z.string() });

/** Where the CLI keeps the logs of its servers: on Linux, and on macOS. */
const ROOTS = [join('.cache', 'claude-cli-nodejs'), join('Library', 'Caches', 'claude-cli-nodejs')];

/** The most telling line of what a server wrote to stderr: the CLI keeps that in a log of its own. */
function serverLog(home: string, name: string): string | undefined {
  const folder = `mcp-logs-${name.replace(/[^A-Za-z0-9-]/g, '-')}`;
  const files = new UntrustedFolder(home);
  const below = (path: string) => files.list(path).map((entry) => `${path}/${entry.name}`);
  const logs = ROOTS.flatMap(below).flatMap((project) => below(`${project}/${folder}`));
  const said = logs.flatMap((file) => errorsIn(files.text(file) ?? ''));
  const stderr = said.filter((text) => text.startsWith('Server stderr:'));
  return tellingLine(stderr.map((text) => text.replace(/^Server stderr:\s*/, '')).join('\n'));
}

function errorsIn(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    try {
      return [entrySchema.parse(JSON.parse(line)).error];
    } catch {
      return [];
    }
  });
}
