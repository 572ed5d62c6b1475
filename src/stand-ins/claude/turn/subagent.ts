import { agentNames, toolsOf } from '../../../claude-code/agent-definitions.js';
import { AGENTS } from '../../../claude-code/built-in.js';
import { defined } from '../../../document/defined.js';
import { milliseconds } from '../../shared/stopwatch.js';
import { fire } from '../hooks/fire-if-any.js';
import { systemEvent, userEvent } from '../output/events.js';
import { randomHex } from '../output/ids.js';
import type { Session } from '../session/session.js';
import { TurnRecord } from '../session/turn-record.js';
import type { RequestedTool } from '../tool-use/requested-tool.js';
import { ToolFailure, type ToolRun } from '../tools/live-tool.js';
import { sessionTools } from './init-event.js';
import type { PlayConversation } from './speaker.js';

/** What a subagent needs from the turn that starts it. */
export interface SubagentContext {
  session: Session;
  turn: TurnRecord;
  signal: AbortSignal;
  playConversation: PlayConversation;
}

/** Runs a subagent to its end: a conversation of its own with the scenario, addressed by the agent's name. */
export async function runSubagent(
  { session, turn, signal, playConversation }: SubagentContext,
  use: RequestedTool,
): Promise<ToolRun> {
  const started = milliseconds();
  const agentId = `a${randomHex(16)}`;
  const agentType = String(use.input['subagent_type'] ?? 'general-purpose');
  const definition = session.parts.agents.find(({ name }) => name === agentType);
  if (definition === undefined && !AGENTS.includes(agentType))
    throw new ToolFailure(
      `Agent type '${agentType}' not found. Available agents: ${agentNames(session.parts.agents).join(', ')}`,
    );
  const text = String(use.input['prompt'] ?? '');
  const description = String(use.input['description'] ?? '');
  const task = { task_id: agentId, run_id: randomHex(16) };
  turn.subagents.push(agentType);
  session.emit(
    systemEvent(session.id, 'task_started', {
      ...task,
      tool_use_id: use.id,
      description,
      subagent_type: agentType,
      is_backgrounded: false,
      spawn_depth: 1,
      task_type: 'local_agent',
      prompt: text,
    }),
  );
  session.emit(
    userEvent(session.at(use.id), [{ type: 'text', text }], {
      agent_id: agentId,
      subagent_type: agentType,
      task_description: description,
    }),
  );
  // What hooks say from here on is for the subagent; what they said before is for the agent that started it.
  const notesForParent = session.takeNotes();
  await fire(session, 'SubagentStart', { agent_id: agentId, agent_type: agentType }, signal);
  const own = new TurnRecord(text);
  const orders = definition === undefined ? {} : { system: definition.system };
  const tools = definition === undefined ? undefined : toolsOf(definition, sessionTools(session));
  const { ending } = await playConversation(
    session,
    own,
    { text, agent: agentType, ...orders, model: session.model, cwd: session.parts.cwd },
    {
      play: session.parts.script.play(),
      parentToolUseId: use.id,
      stopEvent: 'SubagentStop',
      stopFields: { agent_id: agentId, agent_type: agentType },
      ...defined({ tools }),
    },
    signal,
  );
  session.notes = notesForParent;
  const told = { agent: agentType, system: Object.values(orders), messages: own.told, ...defined({ tools }) };
  turn.toldSubagents.push(told, ...own.toldSubagents);
  turn.matched.push(...own.matched);
  turn.denials.push(...own.denials);
  turn.unanswered.push(...own.unanswered);
  const status = ending.kind === 'said' ? 'completed' : 'failed';
  const summary = ending.kind === 'error' ? ending.errors.join('\n') : ending.text;
  const total = own.tokens.input + own.tokens.output;
  session.emit(
    systemEvent(session.id, 'task_updated', { ...task, patch: { status, end_time: session.parts.clock.now() } }),
  );
  session.emit(
    systemEvent(session.id, 'task_notification', {
      ...task,
      tool_use_id: use.id,
      status,
      output_file: '',
      summary,
      usage: { total_tokens: total, tool_uses: own.tools.length, duration_ms: milliseconds() - started },
    }),
  );
  if (status === 'failed') throw new ToolFailure(summary);
  const content = [{ type: 'text', text: summary }];
  return {
    content,
    useResult: {
      status,
      prompt: text,
      agentId,
      agentType,
      content,
      resolvedModel: session.model,
      totalDurationMs: milliseconds() - started,
      totalTokens: total,
      totalToolUseCount: own.tools.length,
    },
  };
}
