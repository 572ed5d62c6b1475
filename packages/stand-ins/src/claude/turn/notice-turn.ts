import { NOTICE_ANSWER, NOTICE_TOKENS, type Reply } from '@understudy/script';
import { fire } from '../hooks/fire-if-any.js';
import type { TaskNotice } from '../session/background.js';
import type { Session } from '../session/session.js';
import { TurnRecord } from '../session/turn-record.js';
import { closeInterrupted, closeTurn, type TurnEnd } from './close-turn.js';
import { initEvent } from './init-event.js';
import { playConversation } from './play-conversation.js';
import { recordNotice } from './record-prompt.js';
import { refusal } from './refusal.js';
import type { TurnOutcome } from './speaker.js';
import { NOTICE_ORIGIN } from './task-notices.js';

const ANSWER: Reply = {
  kind: 'message',
  message: {
    rulePath: '',
    blocks: [{ type: 'text', text: NOTICE_ANSWER }],
    stopReason: 'end_turn',
    usage: { input_tokens: NOTICE_TOKENS.input, output_tokens: NOTICE_TOKENS.output },
  },
};

/** A turn in which the agent receives that a task in the background has ended. No rule of the scenario is asked. */
export async function runNotice(session: Session, notice: TaskNotice, signal: AbortSignal): Promise<TurnEnd> {
  const turn = new TurnRecord(notice.text);
  const origin = { ...NOTICE_ORIGIN, runId: notice.runId };
  session.beginTurn();
  try {
    return closeTurn(session, turn, await playNotice(session, turn, notice, signal), origin);
  } catch (error) {
    return closeInterrupted(session, turn, error, origin);
  }
}

async function playNotice(
  session: Session,
  turn: TurnRecord,
  notice: TaskNotice,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const { text } = notice;
  const submitted = await fire(session, 'UserPromptSubmit', { prompt: text }, signal);
  const refused = refusal(session, 'UserPromptSubmit', submitted, text);
  if (refused !== undefined) return refused;
  // The model is asked about the last of several that wait, and reads all of them.
  const isAsked = session.background.notices.length === 0;
  session.out.emit(initEvent(session));
  session.turn.hookLinesOfPrompt.unshift(...session.takeLateWords());
  recordNotice(session, notice);
  if (!isAsked) {
    session.atWork.notes.push(text);
    return { ending: { kind: 'local', text: '' }, outcome: 'success' };
  }
  session.conversation.prompts++;
  return playConversation(
    session,
    turn,
    { text, model: session.usedModel, cwd: session.parts.cwd },
    {
      play: session.conversation.play,
      parentToolUseId: null,
      stopEvent: 'Stop',
      answer: ANSWER,
    },
    signal,
  );
}
