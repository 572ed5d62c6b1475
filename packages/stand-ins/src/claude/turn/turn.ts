import {
  addRules,
  COMMANDS,
  type CommandDefinition,
  commandName,
  findCommand,
  SKILLS,
  writeCommandTags,
} from '@understudy/agents';
import { defined } from '@understudy/kit';
import { type Prompt, parseSlashCommand } from '@understudy/script';
import type { ForcedFailure } from '../failures/forced-failure.js';
import { fire } from '../hooks/fire-if-any.js';
import { userEvent } from '../output/events.js';
import { REFUSED } from '../refused.js';
import type { Session } from '../session/session.js';
import { TurnRecord } from '../session/turn-record.js';
import { unplayedHooks } from '../session/unsupported.js';
import type { UserMessage } from '../session/user-message.js';
import { textOf, textsOf } from '../session/user-message.js';
import { takeTitle } from './announce-title.js';
import { closeInterrupted, closeTurn, type TurnEnd } from './close-turn.js';
import { initEvent } from './init-event.js';
import { sendListing } from './listing.js';
import { lookAtTouched, memoryForModel } from './memory.js';
import { playConversation, workInBackground } from './play-conversation.js';
import { recordPrompt } from './record-prompt.js';
import { refusal } from './refusal.js';
import type { TurnOutcome } from './speaker.js';
import { unsupported } from './unanswered.js';

/** A turn of the user, and one for each task that has ended in the background since. */
export async function runTurn(
  session: Session,
  message: UserMessage,
  forced: ForcedFailure | undefined,
  signal: AbortSignal,
): Promise<TurnEnd> {
  // Hooks of the start, and those that an earlier turn has left running.
  await session.background.hooks.settle();
  for (const one of message.before ?? []) replayMerged(session, one);
  const end = await runOwnTurn(session, message, forced, signal);
  // An interruption may have come before they began.
  await workInBackground(session);
  return deliverNotices(session, end, signal);
}

/** The turns in which the agent receives tasks that have ended. */
async function deliverNotices(session: Session, before: TurnEnd, signal: AbortSignal): Promise<TurnEnd> {
  let end = before;
  for (let [notice] = session.background.notices; notice !== undefined; [notice] = session.background.notices) {
    session.background.markDelivered(notice);
    const { runNotice } = await import('./notice-turn.js');
    const { isError } = await runNotice(session, notice, signal);
    // The last turn decides how the process ends; a mistake in the scenario stays one.
    end = { ...end, isError };
  }
  return end;
}

/** One turn: the prompt, its hooks, the conversation, the result. */
async function runOwnTurn(
  session: Session,
  message: UserMessage,
  forced: ForcedFailure | undefined,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const text = textOf(message.content);
  const turn = new TurnRecord(text, textsOf(message.content));
  session.beginTurn();
  try {
    const conversed = await playTurn(session, turn, message, text, forced, signal);
    if (conversed === undefined) return { isError: false, unanswered: false };
    return closeTurn(session, turn, conversed);
  } catch (error) {
    return closeInterrupted(session, turn, error);
  } finally {
    // A fallback model, too, is used for one turn only.
    session.turn.ofCommand = {};
  }
}

async function playTurn(
  session: Session,
  turn: TurnRecord,
  message: UserMessage,
  text: string,
  forced: ForcedFailure | undefined,
  signal: AbortSignal,
): Promise<TurnOutcome | undefined> {
  // A space before the slash makes it talk.
  const typed = text.startsWith('/') ? parseSlashCommand(text) : undefined;
  if (typed !== undefined) {
    const { runLocalCommand } = await import('./local-commands.js');
    const local = await runLocalCommand(session, turn, typed, message, signal);
    if (local !== undefined) return local;
  }
  const command = session.parts.options.disableSlashCommands ? undefined : typed;
  const definition = command && findCommand(session.parts.commands, command.name);
  const unplayed = definition && unplayedHooks(session, definition);
  if (unplayed !== undefined) return unsupported(unplayed);
  if (command !== undefined && isServerPrompt(session, command.name))
    return unsupported(`${REFUSED.serverPrompts} It is asked for /${command.name}.`);
  const isForked = definition?.forked !== undefined;
  const submit = async (): Promise<TurnOutcome | undefined> => {
    const verdict = await fire(session, 'UserPromptSubmit', { prompt: text }, signal);
    takeTitle(session, verdict);
    return refusal(session, 'UserPromptSubmit', verdict, text, { ofCommand: isForked });
  };
  const announce = () => announceExpansion(session, text, command, definition, signal);
  for (const hear of isForked ? [announce, submit] : [submit, announce]) {
    const objection = await hear();
    if (objection !== undefined) return objection;
  }
  const prompt = await toPrompt(session, turn, text, command, definition);
  if ('ending' in prompt) return prompt;
  if (definition !== undefined && isForked) {
    const { runTypedSkill } = await import('./forked-skill.js');
    return runTypedSkill({ session, turn, signal, playConversation }, definition, { body: prompt.text, typed: text });
  }
  if (definition !== undefined) {
    session.turn.ofCommand = definition;
    prompt.model = session.usedModel;
  }
  session.out.emit(initEvent(session));
  const written = asWritten(message, prompt);
  session.turn.hookLinesOfPrompt.unshift(...session.takeLateWords());
  recordPrompt(session, written, text, prompt);
  sendPromptNotes(session, turn, written, prompt);
  await sendFiles(session, turn, prompt.text);
  session.conversation.prompts++;
  return playConversation(
    session,
    turn,
    prompt,
    {
      play: session.conversation.play,
      parentToolUseId: null,
      stopEvent: 'Stop',
      ...defined({ forced }),
      onFirstAnswer: () => replay(session, written),
    },
    signal,
  );
}

/** Hooks receive a command before it is expanded. */
async function announceExpansion(
  session: Session,
  text: string,
  command: Prompt['command'],
  definition: CommandDefinition | undefined,
  signal: AbortSignal,
): Promise<TurnOutcome | undefined> {
  const name = knownName(command, definition);
  if (command === undefined || name === undefined) return undefined;
  const about = {
    expansion_type: 'slash_command',
    command_name: name,
    command_args: command.args,
    command_source: definition?.source ?? 'builtin',
    prompt: text,
  };
  const verdict = await fire(session, 'UserPromptExpansion', about, signal);
  return refusal(session, 'UserPromptExpansion', verdict, text);
}

/** The real CLI sends a command that it does not know to the model as it was typed. */
function knownName(command: Prompt['command'], definition: CommandDefinition | undefined): string | undefined {
  if (definition !== undefined) return definition.name;
  if (command === undefined) return undefined;
  const name = commandName(command.name);
  return SKILLS.includes(name) || COMMANDS.includes(name) ? name : undefined;
}

/** The prompt as the scenario sees it; a command of a plugin or project is expanded. */
async function toPrompt(
  session: Session,
  turn: TurnRecord,
  text: string,
  command: Prompt['command'],
  definition: CommandDefinition | undefined,
): Promise<Prompt | TurnOutcome> {
  const { cwd, options } = session.parts;
  const prompt: Prompt = { text, model: session.usedModel, cwd };
  if (options.systemPrompt !== undefined) prompt.system = options.systemPrompt;
  if (session.ownAgent !== undefined) prompt.agent = session.ownAgent;
  const name = knownName(command, definition);
  if (command === undefined || name === undefined) return prompt;
  turn.command = name;
  prompt.command = { ...command, name };
  if (definition !== undefined) {
    const { ShellLineError } = await import('@understudy/agents');
    const { expandInSession } = await import('../session/run-line.js');
    addRules(session.turn.rules, definition.allowedTools, 'session', cwd);
    try {
      prompt.text = expandInSession(session, definition, command.args);
      if (definition.forked === undefined) session.conversation.loadedSkills.set(definition.name, prompt.text);
    } catch (error) {
      if (!(error instanceof ShellLineError)) throw error;
      const { failCommand } = await import('./local-lines.js');
      return failCommand(session, { ...command, name }, error.message);
    }
  }
  return prompt;
}

function isServerPrompt({ mcp }: Session, name: string): boolean {
  return mcp?.mayHavePrompt(name) === true;
}

/** The real CLI writes a command that it knows as three tags, in its stream and in its transcript. */
function asWritten(message: UserMessage, { command }: Prompt): UserMessage {
  if (command === undefined) return message;
  return { ...message, content: writeCommandTags(command.name, command.args) };
}

/** Files that the CLI shows the model: those that the prompt names, and in a new session the instructions for it. */
async function sendFiles(session: Session, turn: TurnRecord, text: string): Promise<void> {
  if (text.includes('@')) {
    const { sendMentioned } = await import('./mentioned-files.js');
    turn.told.push(...(await sendMentioned(session, text)));
  }
  const isNew = session.conversation.prompts === 0 && session.parts.source === 'startup';
  if (!isNew && session.atWork.touched.length === 0) return;
  lookAtTouched(session);
  if (!isNew) return;
  const memory = memoryForModel(session);
  if (memory !== undefined) turn.told.push(memory);
}

/** What the model reads beside the prompt: what it may call, and the command that the prompt comes from. */
function sendPromptNotes(session: Session, turn: TurnRecord, { content }: UserMessage, { command }: Prompt): void {
  if (command !== undefined && typeof content === 'string') turn.told.push(content);
  // With a slash and no name the CLI says nothing more.
  const isSlash = typeof content === 'string' && content.startsWith('/') && parseSlashCommand(content) === undefined;
  if (!isSlash) sendListing(session, turn);
}

/** A host that asked for it receives its messages again when the agent gets them. */
function replay(session: Session, { content, uuid: id }: UserMessage): void {
  if (!session.parts.options.replayUserMessages) return;
  session.out.emit(userEvent({ ...session.out.at(), ...defined({ uuid: id }) }, content, { isReplay: true }));
}

/** The same for a message that is sent with the next one: its time is not reported. */
function replayMerged(session: Session, { content, uuid: id }: UserMessage): void {
  if (id === undefined || !session.parts.options.replayUserMessages) return;
  const { timestamp: _, ...event } = userEvent({ ...session.out.at(), uuid: id }, content, { isReplay: true });
  session.out.emit(event);
}
