import { defined, type JsonObject } from '@understudy/kit';
import type { LogEntry } from '../../shared/request-log.js';
import { crashResult } from '../output/crash-result.js';
import type { OutputEvent } from '../output/formats.js';
import { uuid } from '../output/ids.js';
import { fullUsage } from '../output/usage.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { sessionTools } from './init-event.js';
import { listing } from './listing.js';

/** How a turn ended. */
export type Ending =
  | {
      kind: 'answered';
      text: string;
      terminalReason: 'completed' | 'hook_stopped' | 'stop_hook_prevented' | 'aborted_tools';
    }
  /** The API failed. The real CLI reports it with subtype `success` and `is_error`. */
  | {
      kind: 'api_error';
      text: string;
      terminalReason: string;
      fields: JsonObject /** Which request failed. */;
      where: string;
    }
  | { kind: 'error'; subtype: string; terminalReason: string; errors: string[] }
  /** The CLI itself ends. */
  | { kind: 'crash'; errors: readonly string[] }
  /** A hook has left a tool for later. */
  | { kind: 'deferred'; text: string; use: JsonObject }
  /** No model was asked: a command of the CLI itself, or a hook that blocked the prompt. */
  | { kind: 'local'; text: string; command?: string };

type EndingOfTurn = Exclude<Ending, { kind: 'crash' }>;

/** The result line that closes a turn. */
export function resultOf(session: Session, turn: TurnRecord, ending: Ending, origin?: JsonObject): OutputEvent {
  const model_usage_since_last_result = session.spending.takeSinceResult();
  const result =
    ending.kind === 'crash' ? crashResult(session.id, ending.errors) : endedResult(session, turn, ending, origin);
  return { ...result, model_usage_since_last_result };
}

function endedResult(session: Session, turn: TurnRecord, ending: EndingOfTurn, origin?: JsonObject): OutputEvent {
  return {
    type: 'result',
    subtype: ending.kind === 'error' ? ending.subtype : 'success',
    is_error: ending.kind === 'error' || ending.kind === 'api_error',
    duration_ms: turn.durationMs,
    duration_api_ms: ending.kind === 'local' ? 0 : session.spending.apiMs,
    num_turns: ending.kind === 'local' ? 0 : 1 + turn.userLines,
    stop_reason: turn.stopReason,
    session_id: session.id,
    total_cost_usd: session.spending.total.cost,
    usage: fullUsage(turn.tokens),
    modelUsage: session.spending.total.byModel(),
    permission_denials: turn.denials,
    ...endingFields(ending, turn),
    fast_mode_state: 'off',
    fast_mode_disabled_reason: 'sdk_opt_in_required',
    ...defined({ origin }),
    safety_stops: 0,
    uuid: uuid(),
    queued_turn_count: 0,
  };
}

function endingFields(ending: EndingOfTurn, turn: TurnRecord): JsonObject {
  switch (ending.kind) {
    case 'answered':
      return {
        terminal_reason: ending.terminalReason,
        api_error_status: null,
        result: ending.text,
        ...defined({ structured_output: turn.structuredOutput }),
        ...(turn.isSilent === true ? {} : { ttft_ms: turn.firstToken() }),
        ttft_stream_ms: turn.firstToken(),
        time_to_request_ms: 0,
        ...(turn.isSilent === true ? {} : { first_content_frame_ms: turn.firstToken() }),
      };
    case 'api_error':
      return { terminal_reason: ending.terminalReason, api_error_status: null, ...ending.fields, result: ending.text };
    case 'error':
      return { terminal_reason: ending.terminalReason, errors: ending.errors };
    case 'deferred':
      return { terminal_reason: 'tool_deferred', result: ending.text, deferred_tool_use: ending.use };
    case 'local':
      return { result: ending.text, ...defined({ local_command: ending.command }) };
  }
}

/** The log's entry about a turn: what the user asked, and what came of it. */
export function entryOf(session: Session, turn: TurnRecord, ending: Ending, outcome: LogEntry['outcome']) {
  return {
    prompt: turn.prompt,
    ...defined({ command: turn.command }),
    model: session.usedModel,
    matched: turn.matched,
    outcome,
    ...defined({ failure: turn.failure }),
    result: 'errors' in ending ? ending.errors.join('\n') : ending.text,
    ...(turn.unanswered.length === 0 ? {} : { unanswered: turn.unanswered }),
    tools: turn.tools,
    told: toldIn(session, turn),
    duration_ms: turn.durationMs,
  };
}

/** What a model would be told in the turn. The texts of the real CLI's own system prompt are not among it. */
function toldIn(session: Session, turn: TurnRecord): NonNullable<LogEntry['told']> {
  // A command of the CLI itself, or a prompt that a hook refused, reaches no model.
  if (turn.told.length === 0) return turn.toldSubagents;
  const { systemPrompt } = session.parts.options;
  const system = [...(systemPrompt === undefined ? [] : [systemPrompt]), listing(session).join('\n')];
  return [{ system, messages: turn.told, tools: sessionTools(session) }, ...turn.toldSubagents];
}
