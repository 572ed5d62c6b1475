import { fire } from '../hooks/fire-if-any.js';
import { uuid } from '../output/ids.js';
import type { Session } from '../session/session.js';
import { replay, tellProgressOf } from '../session/state-events.js';
import { recordWaiting } from '../session/transcript.js';
import { isCommand, textOf, type UserMessage } from '../session/user-message.js';
import { takeTitle } from './announce-title.js';
import { refuseMidTurn } from './refusal.js';

/**
 * Tells the agent beside its tool results what the user has said meanwhile. Commands wait for a turn of their own, and so does
 * what a hook would end the turn for. Gives the texts.
 */
export async function absorbPrompts(session: Session, signal: AbortSignal): Promise<string[]> {
  const heard: UserMessage[] = [];
  for (const message of session.waiting.filter(canBeAbsorbed)) {
    const text = textOf(message.content);
    const verdict = await fire(session, 'UserPromptSubmit', { prompt: text }, signal);
    const said = session.saidOfPrompt;
    session.saidOfPrompt = [];
    if (verdict.block === undefined && verdict.stop !== undefined) continue;
    session.waiting.splice(session.waiting.indexOf(message), 1);
    recordWaiting(session, message);
    if (verdict.block !== undefined) {
      for (const state of ['started', 'completed'] as const) tellProgressOf(session, message.uuid, state);
      refuseMidTurn(session, verdict, text, message.uuid ?? uuid());
      continue;
    }
    takeTitle(session, verdict);
    recordAbsorbed(session, message, text);
    session.write(said);
    heard.push(message);
  }
  for (const message of heard) replay(session, message);
  for (const { uuid: id } of heard) {
    tellProgressOf(session, id, 'started');
    if (id !== undefined) session.heard.absorbed.push(id);
  }
  return heard.map(({ content }) => textOf(content));
}

function canBeAbsorbed(message: UserMessage): boolean {
  return message.priority !== 'later' && !isCommand(message);
}

function recordAbsorbed(session: Session, message: UserMessage, text: string): void {
  const now = session.parts.clock.timestamp();
  const { content, timestamp = now, isSynthetic } = message;
  const [commandUuid, deliveryId] = [message.uuid ?? uuid(), uuid()];
  session.transcript.addLines({
    ...{ type: 'queue-operation', operation: 'remove', timestamp: now, content: text, reason: 'absorbed_mid_turn' },
    ...{ commandUuid, deliveryId },
  });
  session.write([
    {
      type: 'attachment',
      attachment: {
        ...{ type: 'queued_command', prompt: content, source_uuid: commandUuid, delivery_id: deliveryId },
        commandMode: 'prompt',
        ...(isSynthetic === true ? { origin: { kind: 'unclassified' }, isMeta: true } : {}),
        timestamp,
      },
      timestamp,
    },
  ]);
}
