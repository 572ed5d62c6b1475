import { escapeTags } from '@understudy/agents';
import { defined, type JsonObject } from '@understudy/kit';
import type { SlashCommand } from '@understudy/script';
import { syntheticEvent, syntheticMessage } from '../output/events.js';
import type { Session } from '../session/session.js';
import { initEvent } from './init-event.js';
import type { TurnOutcome } from './speaker.js';

/** Says what a command of the CLI printed, to the host. */
export function say(session: Session, text: string, stream: 'stdout' | 'stderr', extra: JsonObject): void {
  const message = syntheticMessage(text, { reason: 'end_turn', sequence: null });
  session.out.emit({
    ...syntheticEvent(session.out.at(), message),
    local_command_source: inTags(stream, text),
    ...extra,
  });
}

export const CAVEAT =
  "<local-command-caveat>The command below was run directly in Claude Code, not sent to you as a request, and its output goes straight to the user. It's recorded here as context for later messages.</local-command-caveat>";

interface LocalOutput {
  text: string;
  stream?: 'stdout' | 'stderr';
  /** A new conversation begins with it. */
  isFirst?: boolean;
}

/** Writes a command and what it printed into the transcript. */
export function recordCommand(
  session: Session,
  { name, args }: SlashCommand,
  { text, stream = 'stdout', isFirst = false }: LocalOutput,
): void {
  session.atWork.notes.push(CAVEAT, commandTags(name, args), inTags(stream, text));
  session.transcript.addMessages([
    ...commandLines(session, name, args).map(({ promptId, ...line }) => (isFirst ? line : { promptId, ...line })),
    localLine(session, inTags(stream, text)),
  ]);
}

export function commandLines(session: Session, name: string, args: string): (JsonObject & { type: string })[] {
  return [{ ...userLine(session, CAVEAT), isMeta: true }, userLine(session, commandTags(name, args))];
}

export function commandTags(name: string, args: string): string {
  const tags = ['command-name', 'command-message', 'command-args'];
  const values = [`/${name}`, name, args];
  return tags.map((tag, at) => `<${tag}>${values[at]}</${tag}>`).join('\n            ');
}

export function userLine(session: Session, content: string): JsonObject & { type: string } {
  const timestamp = session.parts.clock.timestamp();
  return { promptId: session.turn.promptId, type: 'user', message: { role: 'user', content }, timestamp };
}

export function localLine(session: Session, content: string): JsonObject & { type: string } {
  const timestamp = session.parts.clock.timestamp();
  return { type: 'system', subtype: 'local_command', content, level: 'info', timestamp, isMeta: false };
}

export function inTags(stream: 'stdout' | 'stderr', text: string): string {
  // The real CLI escapes errors only.
  const said = stream === 'stdout' ? text : escapeTags(text);
  return `<local-command-${stream}>${said}</local-command-${stream}>`;
}

/** A skill that only the model can call is answered without one. */
export function refuseToUser(session: Session, name: string): TurnOutcome {
  const typed = `/${name}`;
  const reason = `This skill can only be invoked by Claude, not directly by users. Ask Claude to use the "${name}" skill for you.`;
  session.out.emit(initEvent(session));
  say(session, reason, 'stdout', {});
  return answerTyped(session, typed, reason);
}

/** Writes what a command said to the user who typed it: the model reads both with the next prompt. */
export function answerTyped(session: Session, typed: string, text: string): TurnOutcome {
  session.atWork.notes.push(CAVEAT, typed, inTags('stdout', text));
  session.transcript.addMessages([
    { ...userLine(session, CAVEAT), isMeta: true },
    userLine(session, typed),
    localLine(session, inTags('stdout', text)),
  ]);
  return { ending: { kind: 'local', text, command: 'custom' }, outcome: 'local_command' };
}

/** A command that cannot be done says why, and reaches no model. Not every one calls that a failure. */
export function failCommand(
  session: Session,
  command: SlashCommand,
  reason: string,
  { asFailure = true } = {},
): TurnOutcome {
  const outcome = asFailure ? { kind: 'failed' } : undefined;
  const stream = asFailure ? 'stderr' : 'stdout';
  session.out.emit(initEvent(session));
  say(session, reason, stream, {
    local_command_run: { command: command.name, args: command.args },
    ...defined({ local_command_outcome: outcome }),
  });
  recordCommand(session, command, { text: reason, stream });
  return { ending: { kind: 'local', text: reason, command: 'custom' }, outcome: 'local_command' };
}
