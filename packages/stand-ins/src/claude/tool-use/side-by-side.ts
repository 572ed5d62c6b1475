import { isSubagentTool, lineOnlyLooks, RESOURCE_TOOLS, SEARCH_TOOLS } from '@understudy/agents';
import type { Session } from '../session/session.js';
import type { RequestedTool } from './requested-tool.js';
import type { ToolOutcome } from './tool-result.js';
import { prepareTool, type ToolUseContext } from './use-tool.js';

/** So many calls the real CLI has at work at once. */
const MOST = 10;

/** Tools that change nothing. */
const LOOKING: ReadonlySet<string> = new Set(['Read', ...SEARCH_TOOLS, ...RESOURCE_TOOLS, 'ListAgents', 'CronList']);

/** The calls of a message in groups: neighbors that only look belong together. */
export function groupCalls(session: Session, calls: readonly RequestedTool[]): RequestedTool[][] {
  const groups: { calls: RequestedTool[]; looks: boolean }[] = [];
  for (const call of calls) {
    const looks = onlyLooks(session, call);
    const last = groups.at(-1);
    if (looks && last?.looks && last.calls.length < MOST) last.calls.push(call);
    else groups.push({ calls: [call], looks });
  }
  return groups.map((group) => group.calls);
}

function onlyLooks({ mcp }: Session, { name, input }: RequestedTool): boolean {
  if (isSubagentTool(name)) return true;
  if (name !== 'Bash') return LOOKING.has(name) || mcp?.onlyLooks(name) === true;
  const { command } = input;
  return typeof command === 'string' && lineOnlyLooks(command);
}

/** Takes the outcome of a call when there is one, and sends it. */
export type Settle = (use: RequestedTool, running: Promise<ToolOutcome>) => Promise<void>;

/** Hooks and permissions see all calls before the first one begins. */
export async function useTogether(
  context: ToolUseContext,
  calls: readonly RequestedTool[],
  settle: Settle,
): Promise<void> {
  const prepared = await Promise.allSettled(calls.map((use) => prepareTool(context, use)));
  if (calls.some(({ name }) => isSubagentTool(name))) {
    // Subagents work at the same time, and each result is sent when there is one.
    const ends = await context.session.relay.run(calls.map((use, at) => () => settle(use, finish(prepared[at]))));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    return;
  }
  let stopped: unknown;
  for (const [at, use] of calls.entries())
    await settle(use, finish(prepared[at])).catch((error: unknown) => {
      // Each that is stopped with others gets the message, too.
      if (!context.signal.aborted) throw error;
      stopped ??= error;
    });
  if (stopped !== undefined) throw stopped;
}

async function finish(prepared: PromiseSettledResult<() => Promise<ToolOutcome>> | undefined): Promise<ToolOutcome> {
  if (prepared?.status === 'fulfilled') return prepared.value();
  throw prepared?.reason;
}
