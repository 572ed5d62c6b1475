import { lineOnlyLooks } from '../../../claude-code/permissions/only-looks.js';
import { isSubagentTool, RESOURCE_TOOLS, SEARCH_TOOLS } from '../../../claude-code/tools.js';
import type { Session } from '../session/session.js';
import { Lockstep } from './lockstep.js';
import type { RequestedTool } from './requested-tool.js';
import type { ToolOutcome } from './tool-result.js';
import { prepareTool, type ToolUseContext, useTool } from './use-tool.js';

/** So many calls the real CLI has at work at once. */
const MOST = 10;

/** Tools that change nothing. */
const LOOKING: ReadonlySet<string> = new Set(['Read', ...SEARCH_TOOLS, ...RESOURCE_TOOLS, 'ListAgents', 'CronList']);

/** The calls of a message in groups: neighbors that only look run side by side. */
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

/** Runs calls side by side: hooks see all of them before the first one begins. */
export async function useTogether(
  context: ToolUseContext,
  calls: readonly RequestedTool[],
  settle: Settle,
): Promise<void> {
  const lockstep = new Lockstep(calls.length);
  const beside = { ...context, lockstep };
  if (calls.some(({ name }) => isSubagentTool(name))) return inTurns(beside, calls, settle);
  const running = calls.map((use) => useTool(beside, use).finally(() => lockstep.leave()));
  // One that fails is looked at when its time has come.
  for (const one of running) one.catch(() => {});
  try {
    for (const [at, use] of calls.entries()) await settle(use, running[at] as Promise<ToolOutcome>);
  } finally {
    await Promise.allSettled(running);
  }
}

/** Where subagents are among them, each result is sent when there is one: they work for some time. */
async function inTurns(
  { lockstep, ...context }: ToolUseContext & { lockstep: Lockstep },
  calls: readonly RequestedTool[],
  settle: Settle,
): Promise<void> {
  const prepared = await Promise.allSettled(
    calls.map((use) => prepareTool({ ...context, lockstep }, use).finally(() => lockstep.leave())),
  );
  const works = calls.map((use, at) => () => settle(use, finish(prepared[at])));
  const ends = await context.session.relay.run(works);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function finish(prepared: PromiseSettledResult<() => Promise<ToolOutcome>> | undefined): Promise<ToolOutcome> {
  if (prepared?.status === 'fulfilled') return prepared.value();
  throw prepared?.reason;
}
