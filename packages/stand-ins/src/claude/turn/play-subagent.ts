import { type AgentDefinition, type PermissionMode, toolsNotOf, toolsOf } from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import { milliseconds } from '../../shared/stopwatch.js';
import { fire } from '../hooks/fire-if-any.js';
import { userEvent } from '../output/events.js';
import { AgentAtWork, type RunningSubagent } from '../session/agent-at-work.js';
import { Interrupted, sendInterruption } from '../session/interrupted.js';
import { SeenFiles } from '../session/seen-files.js';
import type { Session } from '../session/session.js';
import { Transcript, type TranscriptLine } from '../session/transcript.js';
import { TurnRecord } from '../session/turn-record.js';
import { equipAgent } from './equip-agent.js';
import { everyTool } from './init-event.js';
import { listForSubagent } from './listing.js';
import { memoryForModel } from './memory.js';
import type { Ending } from './result.js';
import type { PlayConversation } from './speaker.js';

/** What a subagent needs from the turn that starts it. */
export interface SubagentContext {
  session: Session;
  turn: TurnRecord;
  signal: AbortSignal;
  playConversation: PlayConversation;
}

/** A subagent, as the call that starts it wants it. */
export interface SubagentTask {
  toolUseId: string;
  agentId: string;
  runId: string;
  agentType: string;
  definition: AgentDefinition | undefined;
  description: string;
  prompt: string;
  model: string;
  outputFile: string;
  inBackground: boolean;
  depth: number;
  effort?: string;
  /** It plays a skill: a host receives less of it, and what hooks said of the skill is for it. */
  ofSkill?: { name: string; lines: readonly TranscriptLine[]; notes: readonly string[] };
}

/** How a subagent has ended. */
export interface SubagentEnd {
  agent: AgentAtWork;
  own: TurnRecord;
  ending: Ending;
  status: 'completed' | 'failed';
  /** Its last words, or its error. */
  summary: string;
  /** The message about one that was not done when it had asked as often as it may. */
  limitNote?: string;
  /** What it had in mind at its end, not what it read and wrote altogether. */
  tokens: number;
  duration: number;
}

/** Plays a subagent to its end: a conversation of its own with the scenario, addressed by the agent's name. */
export async function playSubagent(context: SubagentContext, task: SubagentTask): Promise<SubagentEnd> {
  const { session, turn } = context;
  const { agentType, definition, prompt: text } = task;
  const started = milliseconds();
  const own = new TurnRecord(text);
  // What hooks say from here on is for the subagent; what they said before is for the agent that started it.
  const running = runningSubagent(session, task, own, started);
  const agent = new AgentAtWork(running);
  const offered = definition === undefined ? undefined : toolsOf(definition, everyTool(session));
  if (offered !== undefined) running.tools = offered;
  own.offered = offered;
  let ending: Ending;
  try {
    ending = await session.relay.letWork(agent, () => converseOrStop(context, task, own));
  } finally {
    const system = definition === undefined ? [] : [definition.system];
    const told = { agent: agentType, system, messages: own.told, ...defined({ tools: offered }) };
    turn.toldSubagents.push(told, ...own.toldSubagents);
    turn.matched.push(...own.matched);
    turn.denials.push(...own.denials);
    turn.unanswered.push(...own.unanswered);
  }
  const limitNote = limitNoteOf(ending, task, own);
  return {
    agent,
    own,
    ending,
    status: ending.kind !== 'answered' && limitNote === undefined ? 'failed' : 'completed',
    summary: limitNote === undefined ? summaryOf(ending) : [limitNote, ...wordsOf(own)].join('\n'),
    ...defined({ limitNote }),
    tokens: own.lastTokens.input + own.lastTokens.output,
    duration: milliseconds() - started,
  };
}

async function converseOrStop(context: SubagentContext, task: SubagentTask, own: TurnRecord): Promise<Ending> {
  const { session } = context;
  try {
    const ending = await converse(context, task, own);
    if (task.ofSkill !== undefined) {
      const tools = own.offered ?? everyTool(session).filter((tool) => !toolsNotOf(task.agentType).has(tool));
      listForSubagent(session, own, tools, own.tools.length > 0 && ending.kind !== 'error');
    }
    return ending;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    throw stopSubagent(session, task, own);
  }
}

/** The user has stopped the subagent. A host receives it at once; where a tool was running, after the end of the call. */
function stopSubagent(session: Session, task: SubagentTask, { stopReason }: TurnRecord): Interrupted {
  const duringTools = stopReason === 'tool_use';
  sendInterruption(session, duringTools);
  session.out.writing.flush();
  const tell = (): void => {
    if (task.ofSkill === undefined) announceStop(session, task);
  };
  if (!duringTools) tell();
  return new Interrupted(duringTools ? tell : undefined);
}

/** The message about a subagent without a text. */
const NO_MESSAGES = 'No assistant messages found';

function failed(problem: string): Ending {
  return { kind: 'error', subtype: 'error_during_execution', terminalReason: 'skill_failed', errors: [problem] };
}

/** Begins the subagent, and lets it talk with the model to its end. */
async function converse(
  { session, signal, playConversation }: SubagentContext,
  task: SubagentTask,
  own: TurnRecord,
): Promise<Ending> {
  const { agentType, definition, prompt: text, model, toolUseId, ofSkill } = task;
  const began = userEvent(session.out.at(toolUseId), [{ type: 'text', text }], session.out.signature());
  let isReported = task.inBackground;
  const tell = (): void => {
    if (!isReported) session.out.emit(began);
    isReported = true;
  };
  const { parts } = session;
  const { promptId } = session.turn;
  session.out.writing.hold([
    {
      ...{ promptId, type: 'user', message: { role: 'user', content: text } },
      ...{ uuid: String(began['uuid']), timestamp: parts.clock.timestamp() },
      ...(ofSkill === undefined ? {} : { isMeta: true }),
    },
    ...(ofSkill?.lines ?? []),
  ]);
  session.atWork.notes.push(...(ofSkill?.notes ?? []));
  // A host receives its prompt when its hooks have begun.
  await fire(session, 'SubagentStart', {}, signal, tell);
  tell();
  if (definition !== undefined) {
    const problem = equipAgent(session, definition);
    if (problem !== undefined) return failed(problem);
  }
  session.out.writing.addMessages(session.out.writing.takeHeld());
  const memory = memoryForModel(session);
  if (memory !== undefined) own.told.push(memory);
  // A request does not show which agent plays a skill that was typed.
  const agent = ofSkill === undefined ? agentType : undefined;
  const { ending } = await playConversation(
    session,
    own,
    { text, ...defined({ agent, system: definition?.system }), model, cwd: session.folder },
    {
      play: parts.script.play(),
      parentToolUseId: toolUseId,
      stopEvent: 'SubagentStop',
      ...defined({ maxTurns: definition?.maxTurns }),
    },
    signal,
  );
  session.out.writing.flush();
  if (ending.kind === 'answered' && own.text === '' && own.tools.length === 0) return failed(NO_MESSAGES);
  return ending;
}

function runningSubagent(session: Session, task: SubagentTask, own: TurnRecord, started: number): RunningSubagent {
  const { agentId, agentType, definition, model } = task;
  return {
    transcript: subagentTranscript(session, agentId),
    seenFiles: new SeenFiles(),
    loadedSkills: new Map(),
    agent_id: agentId,
    subagent_type: agentType,
    task_description: task.description,
    model,
    mode: modeOf(definition, session.actingMode),
    ...defined({ effort: task.effort ?? definition?.effort }),
    hooks: [],
    depth: task.depth,
    inBackground: task.inBackground,
    progress: (tool, input) => {
      if (task.ofSkill !== undefined) return;
      session.out.system('task_progress', {
        ...taskIds(task),
        description: describeUse(tool, input),
        subagent_type: agentType,
        usage: {
          total_tokens: own.lastTokens.input + own.lastTokens.output,
          tool_uses: own.tools.length + 1,
          duration_ms: milliseconds() - started,
        },
        last_tool_name: tool,
      });
    },
  };
}

/** An agent's own mode counts where the session has none that decides more than who is asked. */
function modeOf(definition: AgentDefinition | undefined, mode: PermissionMode): PermissionMode {
  return mode === 'default' || mode === 'dontAsk' ? (definition?.permissionMode ?? mode) : mode;
}

/** The message to the agent that started it where the subagent could not go on asking. */
function limitNoteOf(ending: Ending, { definition }: SubagentTask, own: TurnRecord): string | undefined {
  if (ending.kind !== 'error' || ending.subtype !== 'error_max_turns') return undefined;
  const left =
    own.text === ''
      ? 'It was still calling tools and had produced no report.'
      : 'The text below is PARTIAL output; treat it as incomplete.';
  return (
    `NOTE: this agent stopped at its ${definition?.maxTurns}-turn limit before finishing. ${left} ` +
    'Send the agent a message (SendMessage) to let it continue from where it stopped.\n'
  );
}

/** What a subagent has said, if anything. */
export function wordsOf({ text }: TurnRecord): string[] {
  return text === '' ? [] : [text];
}

function summaryOf(ending: Ending): string {
  if ('errors' in ending) return ending.errors.join('\n');
  if (ending.kind !== 'api_error') return ending.text;
  return `Agent terminated early due to an API error: ${ending.text} (${ending.where})`;
}

/** How events name a subagent. */
export function taskIds({ agentId, runId, toolUseId }: SubagentTask): JsonObject {
  return { task_id: agentId, run_id: runId, tool_use_id: toolUseId };
}

/** Reports to a host that a subagent has begun. */
export function announceTask(session: Session, task: SubagentTask): void {
  session.out.system('task_started', {
    ...taskIds(task),
    description: task.description,
    subagent_type: task.agentType,
    is_backgrounded: task.inBackground,
    spawn_depth: task.depth,
    ...(session.subagent === undefined ? {} : { parent_task_id: session.subagent.agent_id }),
    task_type: 'local_agent',
    prompt: task.prompt,
  });
}

/** Reports to a host that a subagent has ended. */
export function announceEnd(
  session: Session,
  task: SubagentTask,
  { status, summary, tokens, own, duration }: SubagentEnd,
): void {
  const { tool_use_id: use, ...ids } = taskIds(task);
  const hasFailed = status === 'failed';
  const patch = { status, end_time: session.parts.clock.now(), ...(hasFailed ? { error: summary } : {}) };
  session.out.system('task_updated', { ...ids, patch });
  session.out.system('task_notification', {
    ...ids,
    tool_use_id: use,
    status,
    output_file: task.outputFile,
    summary,
    // What it said in front is the result of its call.
    ...(task.inBackground && !hasFailed ? { summary_is_report: true } : {}),
    ...(hasFailed ? {} : { usage: { total_tokens: tokens, tool_uses: own.tools.length, duration_ms: duration } }),
  });
}

function announceStop(session: Session, task: SubagentTask): void {
  const { tool_use_id: use, ...ids } = taskIds(task);
  const patch = { status: 'killed', end_time: session.parts.clock.now() };
  session.out.system('task_updated', { ...ids, patch });
  const { outputFile: file, description } = task;
  const ended = { ...ids, tool_use_id: use, status: 'stopped', output_file: file, summary: description };
  session.out.system('task_notification', ended);
}

const DOING: Record<string, string> = { Read: 'Reading', Write: 'Writing', Edit: 'Editing' };

/** What a subagent does, in the words for a screen. */
function describeUse(tool: string, input: JsonObject): string {
  const { description, command, file_path: file } = input;
  if (tool === 'Bash') return `Running ${String(description ?? command ?? '')}`;
  return file === undefined ? tool : `${DOING[tool] ?? tool} ${String(file)}`;
}

/** A subagent has a transcript of its own. */
function subagentTranscript({ transcript, parts }: Session, agentId: string): Transcript {
  const context = { ...transcript.context, agentId };
  return new Transcript(transcript.subagentPath(agentId), context, parts.options.persist);
}
