import { AGENTS } from '../../../claude-code/built-in.js';
import { resolveModel } from '../../../claude-code/models.js';
import type { CommandDefinition } from '../../../claude-code/slash-commands.js';
import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import { notesOf } from '../hooks/attachment-line.js';
import { fire } from '../hooks/fire-if-any.js';
import { randomHex } from '../output/ids.js';
import { REFUSED } from '../refused.js';
import { outputFileOf } from '../session/background-tasks.js';
import { runningTasks } from '../session/running-tasks.js';
import type { Session } from '../session/session.js';
import type { ForkedSkill } from '../tool-use/requested-tool.js';
import { ToolFailure, type ToolRun } from '../tools/live-tool.js';
import { initEvent } from './init-event.js';
import { answerTyped, say } from './local-lines.js';
import { playSubagent, type SubagentContext, type SubagentEnd, type SubagentTask } from './play-subagent.js';
import type { TurnOutcome } from './speaker.js';
import { feedbackOf } from './stop-hooks.js';
import { unsupported } from './unanswered.js';
import { newToolsNote, toolsUsed } from './used-tools.js';

/** Plays a skill that the user has typed. The model of the session is not asked. */
export async function runTypedSkill(
  context: SubagentContext,
  { skill, body }: ForkedSkill,
  typed: string,
): Promise<TurnOutcome> {
  const { session, signal } = context;
  const lines = session.turn.saidOfExpansion;
  const notes = lines.flatMap(notesOf);
  const forOthers = session.turn.saidOfPrompt.flatMap(notesOf);
  session.atWork.notes = session.atWork.notes.filter((note) => !notes.includes(note) && !forOthers.includes(note));
  session.turn.saidOfExpansion = [];
  session.turn.saidOfPrompt = [];
  const task = describeTask(session, skill, body, `forked-command-${skill.name}`, { isTyped: true, lines, notes });
  announce(session, task, {});
  session.out.held = [];
  let end: SubagentEnd;
  let held: NonNullable<Session['out']['held']>;
  try {
    end = await playSubagent(context, task);
  } finally {
    held = session.out.held;
    session.out.held = undefined;
  }
  announceEnd(session, task, end, {});
  session.out.emit(initEvent(session));
  for (const event of held) session.out.emit(event);
  if (end.ending.kind === 'error' && end.ending.terminalReason === 'unanswered')
    return { ending: end.ending, outcome: 'unanswered' };
  const words = wordsOf(end);
  const text = words || 'Command completed';
  say(session, text, 'stdout', {});
  const about = {
    ...{ stop_hook_active: false, ...(words === '' ? {} : { last_assistant_message: words }) },
    ...{ background_tasks: runningTasks(session), session_crons: [] },
  };
  const [feedback] = feedbackOf(await fire(session, 'Stop', about, signal));
  session.atWork.saidOfResult = [];
  if (feedback !== undefined) return unsupported(REFUSED.forkedSkills);
  return answerTyped(session, typed, text);
}

/** Plays a skill that the model has called. */
export async function runCalledSkill(
  context: SubagentContext,
  { skill, body }: ForkedSkill,
  use: { id: string; name: string },
): Promise<ToolRun> {
  const { session } = context;
  const task = describeTask(session, skill, body, use.id, { isTyped: false, lines: [], notes: [] });
  const ids = { tool_use_id: use.id };
  announce(session, task, ids);
  const end = await playSubagent(context, task);
  announceEnd(session, task, end, ids);
  if (end.ending.kind === 'error' && end.ending.terminalReason === 'unanswered') throw new ToolFailure(end.summary);
  const result = wordsOf(end) || 'Skill execution completed';
  const used = toolsUsed(session, end.agent);
  const [toolsUsedLine] = newToolsNote(session, used);
  session.atWork.nameTools(used);
  return {
    content: `${toolsUsedLine === undefined ? '' : `${toolsUsedLine}\n`}Skill "${use.name}" completed (forked execution).\n\nResult:\n${result}`,
    useResult: {
      ...{ success: true, commandName: use.name, status: 'forked', agentId: task.agentId, result },
      ...defined({ toolsUsedLine }),
    },
  };
}

function describeTask(
  session: Session,
  { name: skill, forked, description, model: ownModel, effort }: CommandDefinition,
  prompt: string,
  toolUseId: string,
  about: Omit<NonNullable<SubagentTask['ofSkill']>, 'name'>,
): SubagentTask {
  const { agents } = session.parts;
  const wanted = forked?.agent ?? '';
  const definition = agents.find(({ name }) => name === wanted);
  // One that is not there is nobody's mistake.
  const agentType = definition?.name ?? (AGENTS.includes(wanted) ? wanted : 'general-purpose');
  const agentId = `a${randomHex(16)}`;
  const model = ownModel ?? definition?.model;
  const depth = (session.subagent?.depth ?? 0) + 1;
  return {
    ...{ toolUseId, agentId, agentType, definition, description, prompt, depth },
    ofSkill: { name: skill, ...about },
    outputFile: outputFileOf(session, agentId),
    runId: randomHex(16),
    model: model === undefined ? session.askedModel : resolveModel(model),
    ...defined({ effort }),
    inBackground: false,
    // The session does not count it.
    counted: { type: agentType, requested: 'foreground', inBackground: false, depth, hasFailed: false },
  };
}

/** The last words of the subagent, or of the API that failed it. */
function wordsOf({ ending, own }: SubagentEnd): string {
  return ending.kind === 'api_error' ? ending.text : own.said;
}

function announce(session: Session, task: SubagentTask, ids: JsonObject): void {
  const { agentId, runId, agentType, depth, prompt, ofSkill } = task;
  session.out.system('task_started', {
    ...{ task_id: agentId, run_id: runId, ...ids },
    description: `/${ofSkill?.name}`,
    subagent_type: agentType,
    is_backgrounded: false,
    spawn_depth: depth,
    task_type: 'local_agent',
    prompt,
    ...UNSEEN,
  });
}

function announceEnd(session: Session, task: SubagentTask, { status }: SubagentEnd, ids: JsonObject): void {
  const { agentId, runId, outputFile, ofSkill } = task;
  session.out.system('task_notification', {
    ...{ task_id: agentId, run_id: runId, ...ids },
    ...{ status, output_file: outputFile, summary: `/${ofSkill?.name}`, ...UNSEEN },
  });
}

/** A host need not show it. */
const UNSEEN = { skip_transcript: true, ambient: true };
