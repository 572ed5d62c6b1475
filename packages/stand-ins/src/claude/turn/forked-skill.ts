import { AGENTS, type CommandDefinition, resolveModel } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { notesOf } from '../hooks/attachment-line.js';
import { fire } from '../hooks/fire-if-any.js';
import { randomHex } from '../output/ids.js';
import { REFUSED } from '../refused.js';
import { outputFileOf } from '../session/background-tasks.js';
import type { Session } from '../session/session.js';
import { initEvent } from './init-event.js';
import { answerTyped, say } from './local-lines.js';
import { playSubagent, type SubagentContext, type SubagentEnd, type SubagentTask } from './play-subagent.js';
import type { TurnOutcome } from './speaker.js';
import { feedbackOf } from './stop-hooks.js';
import { unsupported } from './unanswered.js';

/** Plays a skill that the user has typed. The model of the session is not asked. */
export async function runTypedSkill(
  context: SubagentContext,
  skill: CommandDefinition,
  { body, typed }: { body: string; typed: string },
): Promise<TurnOutcome> {
  const { session, signal } = context;
  const lines = session.turn.hookLinesOfExpansion;
  const notes = lines.flatMap(notesOf);
  const forOthers = session.turn.hookLinesOfPrompt.flatMap(notesOf);
  session.atWork.notes = session.atWork.notes.filter((note) => !notes.includes(note) && !forOthers.includes(note));
  session.turn.hookLinesOfExpansion = [];
  session.turn.hookLinesOfPrompt = [];
  const task = describeTask(session, skill, body, { name: skill.name, lines, notes });
  announce(session, task);
  session.out.held = [];
  let end: SubagentEnd;
  let held: NonNullable<Session['out']['held']>;
  try {
    end = await playSubagent(context, task);
  } finally {
    held = session.out.held;
    session.out.held = undefined;
  }
  announceEnd(session, task, end);
  session.out.emit(initEvent(session));
  for (const event of held) session.out.emit(event);
  if (end.ending.kind === 'error' && end.ending.terminalReason === 'unanswered')
    return { ending: end.ending, outcome: 'unanswered' };
  const words = wordsOf(end);
  const text = words || 'Command completed';
  say(session, text, 'stdout', {});
  const about = {
    ...{ stop_hook_active: false, ...(words === '' ? {} : { last_assistant_message: words }) },
    ...{ background_tasks: session.background.tasks(), session_crons: [] },
  };
  const [feedback] = feedbackOf(await fire(session, 'Stop', about, signal));
  session.atWork.hookLinesOfResult = [];
  if (feedback !== undefined) return unsupported(REFUSED.forkedSkills);
  return answerTyped(session, typed, text);
}

function describeTask(
  session: Session,
  { name: skill, forked, description, model: ownModel, effort }: CommandDefinition,
  prompt: string,
  ofSkill: NonNullable<SubagentTask['ofSkill']>,
): SubagentTask {
  const { agents } = session.parts;
  const wanted = forked?.agent ?? '';
  const definition = agents.find(({ name }) => name === wanted);
  // One that is not there is nobody's mistake.
  const agentType = definition?.name ?? (AGENTS.includes(wanted) ? wanted : 'general-purpose');
  const agentId = `a${randomHex(16)}`;
  const model = ownModel ?? definition?.model;
  return {
    ...{ toolUseId: `forked-command-${skill}`, agentId, agentType, definition, description, prompt, ofSkill },
    depth: 1,
    outputFile: outputFileOf(session, agentId),
    runId: randomHex(16),
    model: model === undefined ? session.usedModel : resolveModel(model),
    ...defined({ effort }),
    inBackground: false,
  };
}

/** The last words of the subagent, or of the API that failed it. */
function wordsOf({ ending, own }: SubagentEnd): string {
  return ending.kind === 'api_error' ? ending.text : own.text;
}

function announce(session: Session, task: SubagentTask): void {
  const { agentId, runId, agentType, depth, prompt, ofSkill } = task;
  session.out.system('task_started', {
    ...{ task_id: agentId, run_id: runId },
    description: `/${ofSkill?.name}`,
    subagent_type: agentType,
    is_backgrounded: false,
    spawn_depth: depth,
    task_type: 'local_agent',
    prompt,
    ...UNSEEN,
  });
}

function announceEnd(session: Session, task: SubagentTask, { status }: SubagentEnd): void {
  const { agentId, runId, outputFile, ofSkill } = task;
  session.out.system('task_notification', {
    ...{ task_id: agentId, run_id: runId },
    ...{ status, output_file: outputFile, summary: `/${ofSkill?.name}`, ...UNSEEN },
  });
}

/** A host need not show it. */
const UNSEEN = { skip_transcript: true, ambient: true };
