import { STOPPED_TOOL_USE, toolName } from '@understudy/agents';
import { isObject } from '@understudy/kit';
import { fire } from '../hooks/fire-if-any.js';
import { Interrupted } from '../session/interrupted.js';
import type { RequestedTool } from '../tool-use/requested-tool.js';
import { groupCalls, type Settle, useTogether } from '../tool-use/side-by-side.js';
import { outcomeText, sendToolResult, type ToolOutcome } from '../tool-use/tool-result.js';
import { type ToolUseContext, useTool } from '../tool-use/use-tool.js';
import type { SubagentContext } from './play-subagent.js';
import { runSubagent } from './subagent.js';

/** Runs the tools of a message, and sends their results. */
export async function useTools(
  conversation: SubagentContext,
  requested: readonly RequestedTool[],
  parentToolUseId: string | null,
): Promise<ToolOutcome[]> {
  const { session, turn, signal } = conversation;
  const context = contextOf(conversation);
  const outcomes = new Map<RequestedTool, ToolOutcome>();
  const send = async (use: RequestedTool, outcome: ToolOutcome): Promise<void> => {
    outcomes.set(use, outcome);
    await session.background.hooks.settle('PreToolUse');
    if (!outcome.isDeferred) sendToolResult(session, turn, use, outcome, parentToolUseId);
    if (outcome.interrupt === true) throw new Interrupted();
    if (outcome.fatal !== undefined) throw outcome.fatal;
  };
  const inOrder = (): ToolOutcome[] => requested.flatMap((use) => outcomes.get(use) ?? []);
  const settle: Settle = async (use, running) => {
    try {
      await send(use, await running);
    } catch (error) {
      if (error instanceof Interrupted && !outcomes.has(use)) {
        outcomes.set(use, STOPPED);
        sendToolResult(session, turn, use, STOPPED, parentToolUseId);
        error.onAcknowledged?.();
      }
      throw error;
    }
  };
  try {
    for (const group of groupCalls(session, requested)) await useGroup(context, group, settle);
  } catch (error) {
    // The model reads them with the next prompt.
    if (error instanceof Interrupted && parentToolUseId === null)
      session.atWork.notes.push(...inOrder().map(outcomeText));
    throw error;
  }
  const all = inOrder();
  session.atWork.nameTools([...requested.map(({ name }) => toolName(name)), ...all.flatMap(toolsOf)]);
  if (all.some(({ isDeferred }) => isDeferred)) return all;
  const calls = requested.map((use, at) => ({
    tool_name: toolName(use.name),
    tool_input: use.input,
    tool_use_id: use.id,
    tool_response: all[at]?.content,
  }));
  const batch = await fire(session, 'PostToolBatch', { tool_calls: calls }, signal);
  const last = all.at(-1);
  // An objection ends the turn before the next request, as `"continue": false` does.
  if ((batch.stop ?? batch.block) !== undefined && last !== undefined) last.stop = true;
  return all;
}

function contextOf(conversation: SubagentContext): ToolUseContext {
  const { session, turn, signal } = conversation;
  return { session, turn, signal, runSubagent: (use) => runSubagent(conversation, use) };
}

async function useGroup(context: ToolUseContext, group: readonly RequestedTool[], settle: Settle): Promise<void> {
  const [only] = group;
  if (group.length === 1 && only !== undefined) return settle(only, useTool(context, only));
  await useTogether(context, group, settle);
}

/** Those that a subagent says it has used. */
function toolsOf({ useResult }: ToolOutcome): string[] {
  const used = isObject(useResult) ? useResult['toolsUsed'] : undefined;
  return Array.isArray(used) ? used.map(String) : [];
}

/** The user has stopped it while it ran. */
const STOPPED: ToolOutcome = {
  content: STOPPED_TOOL_USE,
  isError: true,
  useResult: 'User rejected tool use',
  nonExecution: 'user-rejected',
  how: 'denied',
  isStopped: true,
};
