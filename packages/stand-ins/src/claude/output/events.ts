import type { JsonObject } from '@understudy/kit';
import type { OutputEvent } from './formats.js';
import { uuid } from './ids.js';
import { emptyUsage } from './usage.js';

/** Builders of the lines of the stream. Their fields are those of the real CLI. */

export function systemEvent(sessionId: string, subtype: string, fields: JsonObject): OutputEvent {
  return { type: 'system', subtype, ...fields, uuid: uuid(), session_id: sessionId };
}

export interface SpokenMessage {
  id: string;
  /** The request that it answers. */
  requestId: string;
  model: string;
  usage: JsonObject;
}

/** One line for one block of what the agent says. */
export function assistantEvent(
  at: { sessionId: string; timestamp: string; parentToolUseId: string | null },
  message: SpokenMessage,
  block: JsonObject,
  extra: JsonObject = {},
): OutputEvent {
  return {
    type: 'assistant',
    message: {
      id: message.id,
      type: 'message',
      role: 'assistant',
      model: message.model,
      content: [block],
      stop_reason: null,
      stop_sequence: null,
      usage: message.usage,
      context_management: null,
    },
    parent_tool_use_id: at.parentToolUseId,
    session_id: at.sessionId,
    uuid: uuid(),
    timestamp: at.timestamp,
    request_id: message.requestId,
    ...extra,
  };
}

/** A message in the agent's name that no model wrote: an API error, the output of `/cost`. */
export function syntheticMessage(text: string, stop: { reason: string; sequence: string | null }): JsonObject {
  return {
    diagnostics: null,
    id: uuid(),
    container: null,
    model: '<synthetic>',
    role: 'assistant',
    stop_details: null,
    stop_reason: stop.reason,
    stop_sequence: stop.sequence,
    type: 'message',
    usage: emptyUsage(),
    content: [{ type: 'text', text }],
    context_management: null,
  };
}

export function syntheticEvent(
  at: { sessionId: string; timestamp: string; parentToolUseId?: string | null },
  message: JsonObject,
  extra: JsonObject = {},
): OutputEvent {
  return {
    type: 'assistant',
    message,
    parent_tool_use_id: at.parentToolUseId ?? null,
    session_id: at.sessionId,
    uuid: uuid(),
    timestamp: at.timestamp,
    ...extra,
  };
}

/** A line with the role `user`: a tool result, a hook's feedback, an interruption, a replayed prompt. */
export function userEvent(
  at: { sessionId: string; timestamp: string; parentToolUseId?: string | null; uuid?: string },
  content: unknown,
  extra: JsonObject = {},
): OutputEvent {
  return {
    type: 'user',
    message: { role: 'user', content },
    parent_tool_use_id: at.parentToolUseId ?? null,
    session_id: at.sessionId,
    uuid: at.uuid ?? uuid(),
    timestamp: at.timestamp,
    ...extra,
  };
}

/** One event of the model's own stream, for `--include-partial-messages`. */
export function streamEvent(
  sessionId: string,
  messageId: string,
  event: JsonObject,
  extra: JsonObject = {},
): OutputEvent {
  return {
    type: 'stream_event',
    event,
    session_id: sessionId,
    parent_tool_use_id: null,
    uuid: uuid(),
    ...extra,
    api_message_id: messageId,
  };
}
