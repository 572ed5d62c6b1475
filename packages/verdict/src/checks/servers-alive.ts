import { type EventOf, lostServer } from '@understudy/agents';
import { pick } from '@understudy/stage';
import { namesTool } from './known-names.js';
import type { Observed } from './observed.js';
import type { CheckResult } from './result.js';
import type { ExpectedCall } from './tools-used.js';

/**
 * Whether every MCP server that was called answered: one failed check for each that went away instead. Nothing where
 * all did, or where the call is expected to end with `status = "error"`.
 */
export function checkServersAlive(events: Observed['all'], expected: readonly ExpectedCall[] = []): CheckResult[] {
  const isMeant = ({ tool }: EventOf<'tool_result'>) =>
    expected.some((call) => call.status === 'error' && namesTool(call.tool, tool));
  const broken = new Map<string, string[]>();
  for (const result of pick(events, 'tool_result')) {
    const server = lostServer(result);
    if (server !== undefined && !isMeant(result)) broken.set(server, [...(broken.get(server) ?? []), result.tool]);
  }
  const last = new Map(
    pick(events, 'session').flatMap(({ mcpServers = [] }) => mcpServers.map(({ name, error }) => [name, error])),
  );
  return [...broken].map(([name, tools]) => {
    const stderr = last.get(name);
    return {
      name: 'MCP servers are alive',
      category: 'plugins',
      subject: { kind: 'mcp_server', name },
      status: 'failed',
      present: true,
      expected: `${name} answers every call`,
      actual: `${name} went away during a call of ${[...new Set(tools)].join(', ')}${stderr === undefined ? '' : `: ${stderr}`}`,
      evidence: tools.map((tool) => `${tool} → Connection closed`),
      suggestion:
        'Repair the server: it ended before it answered. If it is meant to, expect the call with `status = "error"`, or `plugins = "any"`.',
    };
  });
}
