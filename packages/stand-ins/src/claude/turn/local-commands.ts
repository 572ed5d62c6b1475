import { COMMANDS, commandName, SKILLS, transcriptPath } from '@understudy/agents';
import type { SlashCommand } from '@understudy/script';
import { fire } from '../hooks/fire-if-any.js';
import { uuid } from '../output/ids.js';
import { REFUSED } from '../refused.js';
import { Conversation } from '../session/conversation.js';
import type { Session } from '../session/session.js';
import { Transcript } from '../session/transcript.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { UserMessage } from '../session/user-message.js';
import { announceTitle } from './announce-title.js';
import { initEvent } from './init-event.js';
import { recordCommand, refuseToUser } from './local-lines.js';
import type { TurnOutcome } from './speaker.js';
import { unsupported } from './unanswered.js';

/** Built-in commands that are prompts, and those that the stand-in plays. */
const PLAYED: ReadonlySet<string> = new Set([
  ...['init', 'security-review', 'insights', 'team-onboarding', 'clear', 'compact'],
]);

/** Commands that the real CLI answers itself, and the stand-in does not: the model must not be asked in their place. */
const UNPLAYED: ReadonlySet<string> = new Set([
  ...COMMANDS.filter((name) => !PLAYED.has(name)),
  ...['exit', 'help', 'hooks', 'login', 'logout', 'permissions', 'plugin', 'resume', 'status', 'theme', 'vim'],
]);

function unplayed(typed: string): TurnOutcome {
  return unsupported(`${REFUSED.commands} It is asked for /${typed}.`);
}

/** Runs a command that the CLI answers without a model. Gives undefined for any other command. */
export async function runLocalCommand(
  session: Session,
  turn: TurnRecord,
  command: SlashCommand,
  message: UserMessage,
  signal: AbortSignal,
): Promise<TurnOutcome | undefined> {
  const own = session.parts.commands.find(({ name }) => name === command.name);
  if (own?.isForModel === true) return refuseToUser(session, own.name);
  if (own !== undefined) return undefined;
  if (session.parts.options.disableSlashCommands) return isBuiltIn(command.name) ? unplayed(command.name) : undefined;
  const name = commandName(command.name);
  if (UNPLAYED.has(name)) return unplayed(command.name);
  if (name !== 'clear' && name !== 'compact') return undefined;
  turn.command = command.name;
  if (name === 'clear') return clear(session, message, command.name, signal);
  const { compact } = await import('./compact.js');
  return compact(session, turn, command, signal);
}

function isBuiltIn(name: string): boolean {
  const own = commandName(name);
  return UNPLAYED.has(own) || COMMANDS.includes(own) || SKILLS.includes(own);
}

/** `/clear` ends the conversation and begins a new one, with an id and a transcript of its own. */
async function clear(session: Session, message: UserMessage, typed: string, signal: AbortSignal): Promise<TurnOutcome> {
  await fire(session, 'SessionEnd', { reason: 'clear' }, signal);
  const id = uuid();
  // The new conversation has a name of its own beside the id of its session.
  const conversation = uuid();
  session.out.emit({
    type: 'conversation_reset',
    new_conversation_id: conversation,
    uuid: conversation,
    trigger: 'clear',
    user_message_uuid: message.uuid ?? uuid(),
    timestamp: session.parts.clock.timestamp(),
    session_id: session.id,
  });
  session.out.system('background_tasks_changed', { tasks: [] });
  const { paths, projectDir, options, script } = session.parts;
  // A conversation that never began is not kept.
  if (session.transcript.hasBegun) session.transcript.flush();
  const context = { ...session.transcript.context, sessionId: id };
  const transcript = new Transcript(transcriptPath(paths, projectDir, id), context, options.persist);
  const { title } = session.chosen;
  if (title !== undefined) transcript.addTitle(title);
  session.beginConversation(new Conversation(transcript, script.play()));
  session.atWork.notes = [];
  session.atWork.namedTools.clear();
  session.spending.total.clear();
  for (let times = 0; times < 2; times++) announceTitle(session);
  await fire(session, 'SessionStart', { source: 'clear' }, signal);
  session.out.emit(initEvent(session));
  recordCommand(session, { name: 'clear', args: '' }, { text: '', isFirst: true });
  return { ending: { kind: 'local', text: '', command: typed }, outcome: 'local_command' };
}
