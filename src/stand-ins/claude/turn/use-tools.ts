import { STOPPED_TOOL_USE } from '../../../claude-code/rejections.js';
import { toolName } from '../../../claude-code/tools.js';
import { fire } from '../hooks/fire-if-any.js';
import { Interrupted, isSuperseded } from '../session/interrupted.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { ForkedSkill, RequestedTool } from '../tool-use/requested-tool.js';
import { outcomeText, sendToolResult, type ToolOutcome } from '../tool-use/tool-result.js';
import { judgeTool, type ToolUseContext, useTool } from '../tool-use/use-tool.js';
import type { ToolRun } from '../tools/live-tool.js';
import type { SubagentContext } from './play-subagent.js';

/** Runs the tools of a message, and sends their results in the order of the calls. */
export async function useTools(
  conversation: SubagentContext,
  requested: readonly RequestedTool[],
  parentToolUseId: string | null,
): Promise<ToolOutcome[]> {
  const { session, turn, signal } = conversation;
  const context = contextOf(conversation);
  const outcomes: ToolOutcome[] = [];
  for (const group of await inGroups(session, requested)) {
    const running = await startGroup(context, group);
    for (const [at, use] of group.entries()) {
      try {
        const outcome = await (running[at] as Promise<ToolOutcome>);
        outcomes.push(outcome);
        await session.backgroundHooks.settle('PreToolUse');
        if (session.endedCommands.length > 0) {
          const { tellEndedMeanwhile } = await import('./command-ends.js');
          tellEndedMeanwhile(session);
        }
        if (!outcome.isDeferred) sendToolResult(session, turn, use, outcome, parentToolUseId);
        if (isSuperseded(signal)) throw signal.reason;
        if (outcome.interrupt === true) throw new Interrupted();
        if (outcome.fatal !== undefined) throw outcome.fatal;
      } catch (error) {
        await Promise.allSettled(running);
        if (error instanceof Interrupted) {
          const ended = outcomes.length === requested.length || outcomes.at(-1)?.interrupt === true || error.byMessage;
          if (!ended) {
            outcomes.push(rejected());
            sendToolResult(session, turn, use, rejected(), parentToolUseId);
          }
          // The model reads them with the next prompt.
          if (parentToolUseId === null) session.notes.push(...outcomes.map(outcomeText));
        }
        throw error;
      }
    }
  }
  if (outcomes.some(({ isDeferred }) => isDeferred)) return outcomes;
  const calls = requested.map((use, at) => ({
    tool_name: toolName(use.name),
    tool_input: use.input,
    tool_use_id: use.id,
    tool_response: outcomes[at]?.content,
  }));
  const batch = await fire(session, 'PostToolBatch', { tool_calls: calls }, signal);
  const last = outcomes.at(-1);
  // An objection ends the turn before the next request, as `"continue": false` does.
  if ((batch.stop ?? batch.block) !== undefined && last !== undefined) last.stop = true;
  return outcomes;
}

function contextOf(conversation: SubagentContext): ToolUseContext {
  const { session, turn, signal } = conversation;
  const runSubagent = async (use: RequestedTool): Promise<ToolRun> => {
    const subagent = await import('./subagent.js');
    return subagent.runSubagent(conversation, use);
  };
  const runSkill = async (skill: ForkedSkill, use: { id: string; name: string }): Promise<ToolRun> => {
    const { runCalledSkill } = await import('./forked-skill.js');
    return runCalledSkill(conversation, skill, use);
  };
  return { session, turn, signal, runSubagent, runSkill };
}

async function inGroups(session: Session, requested: readonly RequestedTool[]): Promise<readonly RequestedTool[][]> {
  if (requested.length === 1) return [[...requested]];
  const { groupCalls } = await import('../tool-use/side-by-side.js');
  return groupCalls(session, requested);
}

async function startGroup(context: ToolUseContext, group: readonly RequestedTool[]): Promise<Promise<ToolOutcome>[]> {
  if (group.length === 1) return group.map((use) => useTool(context, use));
  const { Lockstep } = await import('../tool-use/lockstep.js');
  const lockstep = new Lockstep(group.length);
  const running = group.map((use) => useTool({ ...context, lockstep }, use).finally(() => lockstep.leave()));
  // One that fails is looked at when its time has come.
  for (const one of running) one.catch(() => {});
  return running;
}

/** The budget ends with the message that asks for these tools. The last one is not waited for. */
export async function judgeTools(
  session: Session,
  turn: TurnRecord,
  requested: readonly RequestedTool[],
  signal: AbortSignal,
): Promise<void> {
  const runSubagent = (): Promise<ToolRun> => Promise.reject(new Interrupted());
  const runSkill = runSubagent;
  for (const use of requested) {
    const outcome = await judgeTool({ session, turn, signal, runSubagent, runSkill }, use);
    const isLate = outcome?.how === 'denied' && use === requested.at(-1);
    if (outcome !== undefined && !isLate) sendToolResult(session, turn, use, outcome, null);
  }
}

function rejected(): ToolOutcome {
  return {
    content: STOPPED_TOOL_USE,
    isError: true,
    useResult: 'User rejected tool use',
    nonExecution: 'user-rejected',
    how: 'denied',
  };
}
