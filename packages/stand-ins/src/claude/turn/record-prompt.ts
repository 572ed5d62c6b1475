import type { JsonObject } from '@understudy/kit';
import type { Prompt } from '@understudy/script';
import { uuid } from '../output/ids.js';
import type { TaskNotice } from '../session/background.js';
import type { Session } from '../session/session.js';
import type { UserMessage } from '../session/user-message.js';

/** Writes that a task has ended, as the prompt of a turn. */
export function recordNotice(session: Session, { text, reminders }: TaskNotice): void {
  const timestamp = session.parts.clock.timestamp();
  session.transcript.addMessages([
    ...reminders.map((reminder) => metaLine(session, `<system-reminder>\n${reminder}\n</system-reminder>`)),
    {
      promptId: session.turn.promptId,
      type: 'user',
      message: { role: 'user', content: text },
      timestamp,
      permissionMode: session.mode,
    },
  ]);
  session.out.write(session.turn.hookLinesOfPrompt);
  session.turn.hookLinesOfPrompt = [];
}

/** Writes a prompt into the transcript, with what a command expanded to and what hooks said about it. */
export function recordPrompt(session: Session, message: UserMessage, text: string, prompt: Prompt): void {
  const timestamp = session.parts.clock.timestamp();
  const typed = prompt.command === undefined;
  session.transcript.addMessages([
    {
      promptId: session.turn.promptId,
      type: 'user',
      message: { role: 'user', content: message.content },
      uuid: message.uuid ?? uuid(),
      timestamp,
      ...(typed ? { permissionMode: session.mode } : {}),
    },
    // The expanded text is an entry of its own.
    ...(typed || prompt.text === text ? [] : [metaLine(session, [{ type: 'text', text: prompt.text }])]),
  ]);
  session.out.write([...session.turn.hookLinesOfExpansion, ...session.turn.hookLinesOfPrompt]);
  session.turn.hookLinesOfExpansion = [];
  session.turn.hookLinesOfPrompt = [];
}

export interface PromptRefusal {
  content: string;
  /** The prompt. */
  text: string;
  /** The hook ended the turn, and the prompt is kept. */
  stopped: boolean;
  /** The hook judged its submission. */
  submitting: boolean;
}

/** Writes a prompt that a hook refused. */
export function recordRefusal(session: Session, { content, text, stopped, submitting }: PromptRefusal): void {
  session.turn.hookLinesOfExpansion = [];
  session.turn.hookLinesOfPrompt = [];
  if (!stopped) return;
  if (submitting) {
    recordPrompt(session, { content: text }, text, { text });
    // It is kept, and read with the next one.
    session.atWork.notes.push(text, content);
    session.conversation.prompts++;
  }
  session.transcript.addMessages([metaLine(session, content)]);
}

function metaLine(session: Session, content: unknown): JsonObject & { type: string } {
  const timestamp = session.parts.clock.timestamp();
  return { promptId: session.turn.promptId, type: 'user', message: { role: 'user', content }, isMeta: true, timestamp };
}
