import type { JsonObject } from '../../../document/json.js';
import type { Prompt } from '../../../scenario/prompt.js';
import { uuid } from '../output/ids.js';
import type { Session } from '../session/session.js';
import type { TaskNotice } from '../session/task-notice.js';
import type { TranscriptLine } from '../session/transcript.js';
import type { UserMessage } from '../session/user-message.js';

/** Writes that a task has ended, as the prompt of a turn. */
export function recordNotice(session: Session, { text, reminders }: TaskNotice): void {
  const timestamp = session.parts.clock.timestamp();
  session.promptLine = uuid();
  session.transcript.addMessages([
    ...reminders.map((reminder) => ({
      ...metaLine(session, `<system-reminder>\n${reminder}\n</system-reminder>`),
    })),
    {
      promptId: session.promptId,
      type: 'user',
      message: { role: 'user', content: text },
      uuid: session.promptLine,
      timestamp,
      permissionMode: session.mode,
    },
  ]);
  session.write(session.saidOfPrompt);
  session.saidOfPrompt = [];
}

/** Writes a prompt into the transcript, with what a command expanded to and what hooks said about it. */
export function recordPrompt(session: Session, message: UserMessage, text: string, prompt: Prompt): void {
  const timestamp = session.parts.clock.timestamp();
  const typed = prompt.command === undefined;
  session.promptLine = message.uuid ?? uuid();
  session.transcript.addMessages([
    {
      promptId: session.promptId,
      type: 'user',
      message: { role: 'user', content: message.content },
      uuid: session.promptLine,
      timestamp,
      ...(typed ? { permissionMode: session.mode } : {}),
    },
    // The expanded text is an entry of its own.
    ...(typed || prompt.text === text ? [] : [metaLine(session, [{ type: 'text', text: prompt.text }])]),
  ]);
  session.write([...session.saidOfExpansion, ...session.saidOfPrompt]);
  session.saidOfExpansion = [];
  session.saidOfPrompt = [];
}

export interface Refusal {
  content: string;
  /** The prompt. */
  text: string;
  /** The hook ended the turn, and the prompt is kept. */
  stopped: boolean;
  /** Where a hook judged its submission. */
  outcome?: SubmitOutcome;
}

/** What became of a prompt. */
export interface SubmitOutcome {
  kind: string;
  prompt_kept: boolean;
  reason?: string | undefined;
  no_verdict_kind?: string;
}

/** Writes a prompt that a hook refused. */
export function recordRefusal(session: Session, { content, text, stopped, outcome }: Refusal): void {
  session.saidOfExpansion = [];
  session.saidOfPrompt = [];
  if (stopped && outcome !== undefined) {
    recordPrompt(session, { content: text }, text, { text });
    // It is kept, and read with the next one.
    session.atWork.notes.push(text, content);
    session.prompts++;
  }
  session.transcript.addMessages([...(stopped ? [metaLine(session, content)] : []), refusalLine(session, content)]);
}

/** The line about a prompt that a hook refused. */
function refusalLine({ parts }: Session, content: string): TranscriptLine {
  const timestamp = parts.clock.timestamp();
  return { type: 'system', subtype: 'informational', content, isMeta: false, timestamp, level: 'warning' };
}

function metaLine(session: Session, content: unknown): JsonObject & { type: string } {
  const timestamp = session.parts.clock.timestamp();
  return { promptId: session.promptId, type: 'user', message: { role: 'user', content }, isMeta: true, timestamp };
}
