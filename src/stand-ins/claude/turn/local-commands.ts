import { transcriptPath } from '../../../claude-code/config-paths.js';
import { MODEL_ALIASES, modelCard, resolveModel } from '../../../claude-code/models.js';
import type { JsonObject } from '../../../document/json.js';
import type { SlashCommand } from '../../../scenario/prompt.js';
import { fire } from '../hooks/fire-if-any.js';
import { syntheticEvent, syntheticMessage, systemEvent, userEvent } from '../output/events.js';
import { uuid } from '../output/ids.js';
import { sleep } from '../session/clock.js';
import type { Session } from '../session/session.js';
import { Transcript } from '../session/transcript.js';
import type { TurnRecord } from '../session/turn-record.js';
import { initEvent } from './init-event.js';
import type { TurnOutcome } from './speaker.js';
import type { UserMessage } from './user-message.js';

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

/** Runs a command that the CLI answers without a model. Gives undefined for any other command. */
export async function runLocalCommand(
  session: Session,
  turn: TurnRecord,
  command: SlashCommand,
  message: UserMessage,
  signal: AbortSignal,
): Promise<TurnOutcome | undefined> {
  if (session.parts.commands.some(({ name }) => name === command.name)) return undefined;
  turn.command = command.name;
  switch (command.name) {
    case 'cost':
    case 'usage':
      return answer(session, command, describeCost(session));
    case 'context':
      return answer(session, command, describeContext(session));
    case 'model':
      return answer(session, command, switchModel(session, command.args));
    case 'clear':
      return clear(session, message, signal);
    case 'compact':
      return compact(session, turn, command, signal);
    default:
      turn.command = undefined;
      return NEEDS_A_SCREEN.has(command.name) ? unavailable(session, command) : undefined;
  }
}

function answer(session: Session, command: SlashCommand, text: string): TurnOutcome {
  session.emit(initEvent(session));
  say(session, text, 'stdout', { local_command_run: { command: command.name, args: command.args } });
  return { ending: { kind: 'local', text, command: command.name }, outcome: 'local_command' };
}

function unavailable(session: Session, command: SlashCommand): TurnOutcome {
  const text = `/${command.name} isn't available in this environment.`;
  session.emit(initEvent(session));
  say(session, text, 'stdout', { local_command_outcome: { kind: 'unavailable_headless' } });
  return { ending: { kind: 'local', text }, outcome: 'local_command' };
}

function say(session: Session, text: string, stream: 'stdout' | 'stderr', extra: JsonObject): void {
  const message = syntheticMessage(text, { reason: 'end_turn', sequence: null });
  const source = `<local-command-${stream}>${text}</local-command-${stream}>`;
  session.emit({ ...syntheticEvent(session.at(), message), local_command_source: source, ...extra });
}

function describeCost({ tally, apiMs, parts, linesAdded, linesRemoved }: Session): string {
  const sums = { input: 0, output: 0, read: 0, write: 0 };
  for (const usage of Object.values(tally.byModel()) as Record<string, number>[]) {
    sums.input += usage['inputTokens'] ?? 0;
    sums.output += usage['outputTokens'] ?? 0;
    sums.read += usage['cacheReadInputTokens'] ?? 0;
    sums.write += usage['cacheCreationInputTokens'] ?? 0;
  }
  return [
    `Total cost:            $${tally.cost.toFixed(4)}`,
    `Total duration (API):  ${Math.round(apiMs / 1000)}s`,
    `Total duration (wall): ${Math.round(parts.clock.elapsed() / 1000)}s`,
    `Total code changes:    ${linesAdded} lines added, ${linesRemoved} lines removed`,
    `Usage:                 ${sums.input} input, ${sums.output} output, ${sums.read} cache read, ${sums.write} cache write`,
  ].join('\n');
}

function describeContext(session: Session): string {
  const { contextWindow } = modelCard(session.model);
  return `## Context Usage\n\n**Model:** ${session.model}  \n**Tokens:** ${session.contextTokens} / ${contextWindow}`;
}

function switchModel(session: Session, name: string): string {
  if (name === '')
    return `Current model: \`${modelCard(session.model).name}\`\nUsage: /model <name>. Available: ${MODEL_ALIASES.join(', ')}, or a full model ID.`;
  session.model = resolveModel(name);
  return `Set model to ${modelCard(session.model).name}`;
}

/** `/clear` ends the conversation and begins a new one, with an id and a transcript of its own. */
async function clear(session: Session, message: UserMessage, signal: AbortSignal): Promise<TurnOutcome> {
  await fire(session, 'SessionEnd', { reason: 'clear' }, signal);
  const id = uuid();
  session.emit({
    type: 'conversation_reset',
    new_conversation_id: id,
    uuid: id,
    trigger: 'clear',
    user_message_uuid: message.uuid ?? uuid(),
    timestamp: session.parts.clock.timestamp(),
    session_id: session.id,
  });
  session.emit(systemEvent(session.id, 'background_tasks_changed', { tasks: [] }));
  const { paths, projectDir, options, script } = session.parts;
  session.transcript.flush();
  const context = { ...session.transcript.context, sessionId: id };
  session.transcript = new Transcript(transcriptPath(paths, projectDir, id), context, options.persist);
  session.play = script.play();
  session.prompts = 0;
  session.contextTokens = 0;
  await fire(session, 'SessionStart', { source: 'clear' }, signal);
  session.emit(initEvent(session));
  return { ending: { kind: 'local', text: '', command: 'clear' }, outcome: 'local_command' };
}

/** `/compact` replaces the conversation by a summary. The scenario's turn state is kept. */
async function compact(
  session: Session,
  turn: TurnRecord,
  { args }: SlashCommand,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const done: TurnOutcome = { ending: { kind: 'local', text: '', command: 'compact' }, outcome: 'local_command' };
  const fail = (reason: string): TurnOutcome => {
    session.emit(initEvent(session));
    say(session, reason, 'stderr', {
      local_command_run: { command: 'compact', args },
      local_command_outcome: { kind: 'failed' },
    });
    return done;
  };
  if (session.prompts === 0) return fail('Error: No messages to compact');
  session.emit(systemEvent(session.id, 'status', { status: 'compacting' }));
  const verdict = await fire(session, 'PreCompact', { trigger: 'manual', custom_instructions: args }, signal);
  if (verdict.block !== undefined) {
    session.emit(systemEvent(session.id, 'status', { status: null, compact_result: 'failed' }));
    return fail(`Compaction blocked by PreCompact hook: ${verdict.block.reason.trimEnd()}`);
  }
  await sleep(session.parts.script.scenario.document.timeouts?.compact_delay_ms ?? 0, signal);
  const summary = `The user has sent ${session.prompts} ${session.prompts === 1 ? 'prompt' : 'prompts'}.`;
  await fire(session, 'SessionStart', { source: 'compact', model: session.model }, signal);
  await fire(session, 'PostCompact', { trigger: 'manual', compact_summary: summary }, signal);
  session.emit(systemEvent(session.id, 'status', { status: null, compact_result: 'success' }));
  session.emit(initEvent(session));
  const before = session.contextTokens;
  session.contextTokens = Math.ceil(summary.length / 4);
  const metadata = {
    trigger: 'manual',
    pre_tokens: before,
    post_tokens: session.contextTokens,
    cumulative_dropped_tokens: 0,
    duration_ms: turn.durationMs,
  };
  session.emit(
    systemEvent(session.id, 'compact_boundary', {
      compact_metadata: metadata,
      logical_parent_uuid: session.transcript.leaf,
    }),
  );
  session.transcript.addMessages([
    {
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      isMeta: false,
      timestamp: session.parts.clock.timestamp(),
      level: 'info',
      compactMetadata: { trigger: 'manual', preTokens: before },
    },
    {
      type: 'user',
      message: { role: 'user', content: summary },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
      isMeta: true,
      timestamp: session.parts.clock.timestamp(),
    },
  ]);
  session.emit(userEvent(session.at(), summary, { isReplay: false, isSynthetic: true }));
  session.emit(userEvent(session.at(), '<local-command-stdout>Compacted</local-command-stdout>', { isReplay: true }));
  return done;
}
