import { AGENTS, definedAgentNames as agentNames, deniedAgent, resolveModel } from '@understudy/agents';
import { randomHex } from '../output/ids.js';
import { fullUsage } from '../output/usage.js';
import { REFUSED } from '../refused.js';
import { allowsBackground, outputFileOf } from '../session/background-tasks.js';
import { mayStart } from '../session/own-tools.js';
import type { Session } from '../session/session.js';
import type { RequestedTool } from '../tool-use/requested-tool.js';
import { refuse, ToolFailure, type ToolRun } from '../tools/live-tool.js';
import { launchInBackground } from './background-agent.js';
import { handBack, ONE_SHOT } from './hand-back.js';
import { sessionTools } from './init-event.js';
import {
  announceEnd,
  announceTask,
  playSubagent,
  type SubagentContext,
  type SubagentEnd,
  type SubagentTask,
  wordsOf,
} from './play-subagent.js';
import { newToolsNote, toolsUsed } from './used-tools.js';

/**
 * Starts a subagent. Unless the call wants to wait for it, the agent goes on and receives its end later; subagents
 * of a subagent are waited for.
 */
export async function runSubagent(context: SubagentContext, use: RequestedTool): Promise<ToolRun> {
  const { session } = context;
  const task = describeTask(context, use);
  if (task.inBackground) return launchInBackground(context, task);
  announceTask(session, task);
  const end = await playSubagent(context, task);
  announceEnd(session, task, end);
  if (end.status === 'failed' && end.own.text === '') throw new ToolFailure(end.summary);
  return report(session, task, end);
}

function describeTask({ session }: SubagentContext, use: RequestedTool): SubagentTask {
  const agentType = String(use.input['subagent_type'] ?? 'general-purpose');
  const definition = session.parts.agents.find(({ name }) => name === agentType);
  if ((definition === undefined && !AGENTS.includes(agentType)) || !mayStart(session, agentType)) {
    const names = agentNames(session.parts.agents).filter((name) => mayStart(session, name));
    const what =
      use.input['subagent_type'] === undefined
        ? `subagent_type is required: the ${agentType} agent is not available in this session`
        : `Agent type '${agentType}' not found`;
    throw new ToolFailure(`${what}. Available agents: ${names.join(', ')}`);
  }
  const denied = deniedAgent(agentType, session.permissionContext());
  if (denied !== undefined) throw new ToolFailure(denied);
  if ((use.input['isolation'] ?? definition?.isolation) !== undefined) refuse(REFUSED.worktrees);
  const agentId = `a${randomHex(16)}`;
  const named = use.input['model'] ?? definition?.model;
  const depth = (session.subagent?.depth ?? 0) + 1;
  const wish = use.input['run_in_background'] ?? true;
  const isAside = definition?.background === true || wish === true;
  const inBackground = isAside && depth === 1 && allowsBackground(session);
  return {
    toolUseId: use.id,
    agentId,
    outputFile: outputFileOf(session, agentId),
    runId: randomHex(16),
    agentType,
    definition,
    description: String(use.input['description'] ?? ''),
    prompt: String(use.input['prompt'] ?? ''),
    model: typeof named === 'string' ? resolveModel(named) : session.requestedModel,
    inBackground,
    depth,
  };
}

const PARTIAL =
  'Everything below is PARTIAL output recovered from the agent before it was cut off. The agent did NOT finish its task — treat these results as incomplete.';

/** What the agent gets that has waited. */
function report(
  session: Session,
  task: SubagentTask,
  { agent, own, status, summary, limitNote, tokens, duration }: SubagentEnd,
): ToolRun {
  const { agentId, agentType, prompt, model } = task;
  const tools = toolsUsed(session, agent);
  const said = limitNote !== undefined ? wordsOf(own) : [status === 'failed' ? own.text : summary];
  const notes = [
    ...(status === 'failed' ? [`${summary}\n\n${PARTIAL}`] : []),
    ...newToolsNote(session, tools).map((note) => `${note}\n`),
    ...(limitNote === undefined ? [] : [limitNote]),
  ];
  const usage = { tokens, toolUses: own.tools.length, duration };
  const canContinue = sessionTools(session).includes('SendMessage');
  return {
    content: [
      {
        type: 'text',
        text: handBack(notes, said[0], ONE_SHOT.has(agentType) ? undefined : { agentId, canContinue, ...usage }),
      },
    ],
    useResult: {
      status: 'completed',
      prompt,
      agentId,
      agentType,
      ...(tools.length === 0 ? {} : { toolsUsed: tools }),
      harnessNoteCount: notes.length,
      harnessTailCount: 0,
      content: [...notes, ...said].map((text) => ({ type: 'text', text })),
      resolvedModel: model,
      totalDurationMs: duration,
      totalTokens: tokens,
      totalToolUseCount: own.tools.length,
      usage: fullUsage(own.lastTokens),
      canContinueAgent: canContinue,
    },
  };
}
