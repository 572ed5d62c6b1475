import type { CommandDefinition } from '../../../claude-code/slash-commands.js';
import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import type { Prompt } from '../../../scenario/prompt.js';
import { uuid } from '../output/ids.js';
import { commandPermissions } from '../session/command-permissions.js';
import type { Session } from '../session/session.js';
import type { TaskNotice } from '../session/task-notice.js';
import type { TranscriptLine } from '../session/transcript.js';
import type { UserMessage } from '../session/user-message.js';
import { NOTICE_ORIGIN } from './task-notices.js';

/** Writes that a task has ended, as the prompt of a turn; not of one, if the model is not asked about it. */
export function recordNotice(session: Session, { text, runId, reminders }: TaskNotice, isAsked: boolean): void {
  const timestamp = session.parts.clock.timestamp();
  session.promptLine = uuid();
  session.transcript.addMessages([
    ...reminders.map((reminder) => ({
      ...metaLine(session, `<system-reminder>\n${reminder}\n</system-reminder>`),
      turnCompanion: true,
      queueSkipAttachments: true,
    })),
    {
      promptId: session.promptId,
      type: 'user',
      message: { role: 'user', content: text },
      uuid: session.promptLine,
      timestamp,
      permissionMode: session.mode,
      origin: { ...NOTICE_ORIGIN, ...defined({ runId }) },
      promptSource: 'system',
      turnOrigin: 'task_notification',
      ...(isAsked ? { turnPosition: { promptIndex: 0, turnIndex: session.prompts + 1 } } : {}),
      queueSkipAttachments: true,
    },
  ]);
  session.write(session.saidOfPrompt);
  session.saidOfPrompt = [];
}

/** Writes a prompt into the transcript, with what a command expanded to and what hooks said about it. */
export function recordPrompt(
  session: Session,
  message: UserMessage,
  text: string,
  prompt: Prompt,
  command?: Pick<CommandDefinition, 'allowedTools' | 'model'>,
): void {
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
      ...(typed ? { permissionMode: session.mode, promptSource: 'sdk' } : {}),
      turnOrigin: 'sdk',
      turnPosition: { promptIndex: 0, turnIndex: session.prompts + 1 },
    },
    // The expanded text is an entry of its own.
    ...(typed || prompt.text === text
      ? []
      : [
          {
            ...metaLine(session, [{ type: 'text', text: prompt.text }]),
            turnCompanion: true,
          },
        ]),
  ]);
  session.write([
    ...session.saidOfExpansion,
    ...(command === undefined ? [] : [{ type: 'attachment', attachment: commandPermissions(command), timestamp }]),
    ...session.saidOfPrompt,
  ]);
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
  session.transcript.addMessages([
    ...(stopped ? [metaLine(session, content)] : []),
    refusalLine(session, content, outcome),
  ]);
}

/** The line about a prompt that a hook refused. */
function refusalLine({ parts }: Session, content: string, outcome: SubmitOutcome | undefined): TranscriptLine {
  return {
    type: 'system',
    subtype: 'informational',
    content,
    isMeta: false,
    timestamp: parts.clock.timestamp(),
    level: 'warning',
    preventContinuation: true,
    ...(outcome === undefined
      ? {}
      : {
          promptSubmitEnding: {
            ending: {
              kind: outcome.kind,
              ...defined({ reason: outcome.reason, noVerdictKind: outcome.no_verdict_kind }),
            },
            promptKept: outcome.prompt_kept,
          },
        }),
  };
}

function metaLine(session: Session, content: unknown): JsonObject & { type: string } {
  const timestamp = session.parts.clock.timestamp();
  return { promptId: session.promptId, type: 'user', message: { role: 'user', content }, isMeta: true, timestamp };
}
