import { COMMANDS, commandName, SKILLS } from '../../../claude-code/built-in.js';
import { transcriptPath } from '../../../claude-code/config-paths.js';
import { MODEL_ALIASES, modelCard, modelLabel } from '../../../claude-code/models.js';
import type { SlashCommand } from '../../../scenario/prompt.js';
import { fire } from '../hooks/fire-if-any.js';
import { systemEvent } from '../output/events.js';
import { uuid } from '../output/ids.js';
import type { Session } from '../session/session.js';
import { Transcript } from '../session/transcript.js';
import type { TurnRecord } from '../session/turn-record.js';
import type { UserMessage } from '../session/user-message.js';
import { announceTitle } from './announce-title.js';
import { initEvent } from './init-event.js';
import { inTags, localLine, recordCommand, refuseToUser, say } from './local-lines.js';
import type { TurnOutcome } from './speaker.js';
import { unsupported } from './unanswered.js';

/** Commands of the real CLI that need a terminal. */
const NEEDS_A_SCREEN = new Set([
  'help',
  'login',
  'logout',
  'theme',
  'vim',
  'resume',
  'exit',
  'quit',
  'hooks',
  'permissions',
  'plugin',
  'status',
]);

/** Commands that the real CLI answers itself, and the stand-in does not: the model must not be asked in their place. */
const UNPLAYED = new Set([
  ...[
    'agents',
    'auto-mode-setup',
    'autocompact',
    'color',
    'config',
    'output-style',
    'effort',
    'fast',
    'focus',
    'heapdump',
  ],
  ...['mcp', '__remote-workflow', 'workflow-launch-exec', 'reload-plugins', 'reload-skills', 'rename', 'recap', 'goal'],
  'list-agents',
]);

function unplayed(typed: string): TurnOutcome {
  return unsupported(`The stand-in does not play /${typed}, which Claude Code answers itself.`);
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
  if (session.parts.options.disableSlashCommands)
    return isBuiltIn(command.name) ? unavailable(session, command) : undefined;
  turn.command = command.name;
  const name = commandName(command.name);
  switch (name) {
    case 'usage':
      return answer(session, command, () => describeCost(session));
    case 'context':
      return answer(session, command, () => describeContext(session));
    case 'model':
      return answer(session, command, () => chooseModel(session, command.args, signal));
    case 'clear':
      return clear(session, message, command.name, signal);
    case 'compact':
      return (await import('./compact.js')).compact(session, turn, command, signal);
    default:
      turn.command = undefined;
      if (UNPLAYED.has(name)) return unplayed(command.name);
      return NEEDS_A_SCREEN.has(command.name) ? unavailable(session, command) : undefined;
  }
}

function isBuiltIn(name: string): boolean {
  return NEEDS_A_SCREEN.has(name) || COMMANDS.includes(commandName(name)) || SKILLS.includes(commandName(name));
}

async function answer(
  session: Session,
  command: SlashCommand,
  describe: () => string | Promise<string>,
): Promise<TurnOutcome> {
  const { model } = session;
  const text = await describe();
  // A command that changes the model has changed the tools, and not yet the name.
  session.emit({ ...initEvent(session), model });
  say(session, text, 'stdout', { local_command_run: { command: command.name, args: command.args } });
  const name = commandName(command.name);
  recordCommand(session, { ...command, name }, { text });
  return { ending: { kind: 'local', text, command: command.name }, outcome: 'local_command' };
}

function unavailable(session: Session, command: SlashCommand): TurnOutcome {
  const text = `/${command.name} isn't available in this environment.`;
  session.emit(initEvent(session));
  const outcome = { kind: 'unavailable_headless' };
  say(session, text, 'stdout', { local_command_outcome: outcome });
  session.atWork.notes.push(`/${command.name}`, inTags('stdout', text));
  session.transcript.addMessages([
    localLine(session, `/${command.name}`),
    { ...localLine(session, inTags('stdout', text)), commandOutcome: outcome },
  ]);
  return { ending: { kind: 'local', text }, outcome: 'local_command' };
}

function describeCost({ tally, apiMs, parts, linesAdded, linesRemoved }: Session): string {
  const models = Object.entries(tally.byModel()) as [string, Record<string, number>][];
  const usage =
    models.length === 0
      ? ['Usage:                 0 input, 0 output, 0 cache read, 0 cache write']
      : ['Usage by model:', ...models.map(([model, used]) => modelLine(model, used))];
  return [
    `Total cost:            $${tally.cost.toFixed(4)}`,
    `Total duration (API):  ${Math.round(apiMs / 1000)}s`,
    `Total duration (wall): ${Math.round(parts.clock.elapsed() / 1000)}s`,
    `Total code changes:    ${linesAdded} lines added, ${linesRemoved} lines removed`,
    ...usage,
  ].join('\n');
}

function modelLine(model: string, used: Record<string, number>): string {
  const count = (name: string): number => used[name] ?? 0;
  const cache = `${count('cacheReadInputTokens')} cache read, ${count('cacheCreationInputTokens')} cache write`;
  return `${`${model}:`.padStart(21)}  ${count('inputTokens')} input, ${count('outputTokens')} output, ${cache} ($${count('costUSD').toFixed(4)})`;
}

function describeContext(session: Session): string {
  const { contextWindow } = modelCard(session.askedModel);
  return `## Context Usage\n\n**Model:** ${session.askedModel}  \n**Tokens:** ${session.contextTokens} / ${contextWindow}`;
}

async function chooseModel(session: Session, name: string, signal: AbortSignal): Promise<string> {
  const { effort } = session.parts.options;
  if (name === '')
    return `Current model: \`${modelLabel(session.modelName)}${session.choseModel ? '' : ' (default)'}\`${effort === undefined ? '' : ` (effort: ${effort})`}\nUsage: /model <name>. Available: ${MODEL_ALIASES.join(', ')}, or a full model ID.`;
  const { switchModel } = await import('./switch-model.js');
  const { heard, objection } = await switchModel(session, name, 'command', signal);
  if (objection !== undefined)
    return `Model switch to ${modelLabel(name)} was blocked by a PreModelSwitch hook: ${objection}`;
  if (heard !== undefined) await fire(session, 'PostModelSwitch', heard, signal);
  session.choseModel = true;
  return `Set model to \`${modelLabel(name)}\` for this session only`;
}

/** `/clear` ends the conversation and begins a new one, with an id and a transcript of its own. */
async function clear(session: Session, message: UserMessage, typed: string, signal: AbortSignal): Promise<TurnOutcome> {
  await fire(session, 'SessionEnd', { reason: 'clear' }, signal);
  const id = uuid();
  // The new conversation has a name of its own beside the id of its session.
  const conversation = uuid();
  session.emit({
    type: 'conversation_reset',
    new_conversation_id: conversation,
    uuid: conversation,
    trigger: 'clear',
    user_message_uuid: message.uuid ?? uuid(),
    timestamp: session.parts.clock.timestamp(),
    session_id: session.id,
  });
  session.emit(systemEvent(session.id, 'background_tasks_changed', { tasks: [] }));
  const { paths, projectDir, options, script } = session.parts;
  // A conversation that never began is not kept.
  if (session.transcript.hasBegun) session.transcript.flush();
  const context = { ...session.transcript.context, sessionId: id };
  session.transcript = new Transcript(transcriptPath(paths, projectDir, id), context, options.persist);
  if (session.title !== undefined) session.transcript.addTitle(session.title);
  session.play = script.play();
  session.prompts = 0;
  session.contextTokens = 0;
  session.known = new Set();
  session.atWork.notes = [];
  session.atWork.namedTools.clear();
  session.loadedSkills.clear();
  session.seenFiles.clear();
  session.answered = 0;
  session.failed = 0;
  session.tally.clear();
  for (let times = 0; times < 2; times++) announceTitle(session);
  await fire(session, 'SessionStart', { source: 'clear' }, signal);
  session.emit(initEvent(session));
  recordCommand(session, { name: 'clear', args: '' }, { text: '', isFirst: true });
  return { ending: { kind: 'local', text: '', command: typed }, outcome: 'local_command' };
}
