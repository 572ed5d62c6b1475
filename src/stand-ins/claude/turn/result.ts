import { defined } from '../../../document/defined.js';
import type { JsonObject } from '../../../document/json.js';
import type { LogEntry } from '../../shared/request-log.js';
import { crashResult } from '../output/crash-result.js';
import { noSubagents } from '../output/events.js';
import type { OutputEvent } from '../output/formats.js';
import { uuid } from '../output/ids.js';
import { fullUsage } from '../output/usage.js';
import type { Session } from '../session/session.js';
import type { SpawnedAgent } from '../session/task-notice.js';
import type { TurnRecord } from '../session/turn-record.js';
import { sessionTools } from './init-event.js';
import { listing } from './listing.js';

/** How a turn ended. */
export type Ending =
  | {
      kind: 'said';
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

/** The result line that closes a turn, and the log's entry about it. */
export function finishTurn(
  session: Session,
  turn: TurnRecord,
  ending: Ending,
  outcome: LogEntry['outcome'],
  origin?: JsonObject,
): OutputEvent {
  const common = {
    result_index: session.out.results++,
    model_usage_since_last_result: session.spending.takeSinceResult(),
  };
  const event: OutputEvent =
    ending.kind === 'crash'
      ? { ...crashResult(session.id, ending.errors), ...common }
      : { ...endedResult(session, turn, ending, origin), ...common };
  // Who has seen the result may look into the log. It has what the user asked.
  if (origin === undefined) writeLog(session, turn, ending, outcome);
  session.out.emit(event);
  return event;
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
    subagent_stats: subagentStats(session),
    safety_stops: 0,
    uuid: uuid(),
    queued_turn_count: 0,
  };
}

function endingFields(ending: EndingOfTurn, turn: TurnRecord): JsonObject {
  switch (ending.kind) {
    case 'said':
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

/** Of the whole session, as the real CLI counts. */
function subagentStats({ spawned }: Session): JsonObject {
  const count = (condition: (agent: SpawnedAgent) => boolean): number => spawned.filter(condition).length;
  const types: Record<string, number> = {};
  for (const { type } of spawned) types[type] = (types[type] ?? 0) + 1;
  const requested = (wish: SpawnedAgent['requested']): number => count((agent) => agent.requested === wish);
  return {
    ...noSubagents(),
    spawned: spawned.length,
    requested: {
      background: requested('background'),
      foreground: requested('foreground'),
      unset: requested('unset'),
    },
    started_in_background: count(({ inBackground }) => inBackground),
    max_depth: Math.max(0, ...spawned.map(({ depth }) => depth)),
    spawned_by_subagents: count(({ depth }) => depth > 1),
    completed: count(({ hasFailed }) => !hasFailed),
    failed: count(({ hasFailed }) => hasFailed),
    by_type: types,
  };
}

/** The log's entry about a turn. */
export function writeLog(session: Session, turn: TurnRecord, ending: Ending, outcome: LogEntry['outcome']): void {
  const { log, argv, cwd, clock } = session.parts;
  log.write({
    time: clock.timestamp(),
    pid: process.pid,
    argv,
    cwd,
    session_id: session.id,
    prompt: turn.prompt,
    ...defined({ command: turn.command }),
    model: session.askedModel,
    matched: [...turn.matched, ...session.hookRules.splice(0)],
    outcome,
    ...defined({ failure: turn.failure }),
    result: 'errors' in ending ? ending.errors.join('\n') : ending.text,
    ...(turn.unanswered.length === 0 ? {} : { unanswered: turn.unanswered }),
    tools: turn.tools,
    told: toldIn(session, turn),
    duration_ms: turn.durationMs,
  });
}

/** What a model would be told in the turn. The texts of the real CLI's own system prompt are not among it. */
function toldIn(session: Session, turn: TurnRecord): NonNullable<LogEntry['told']> {
  // A command of the CLI itself, or a prompt that a hook refused, reaches no model.
  if (turn.told.length === 0) return turn.toldSubagents;
  const { systemPrompt } = session.parts.options;
  const system = [...(systemPrompt === undefined ? [] : [systemPrompt]), listing(session).join('\n')];
  return [{ system, messages: turn.told, tools: sessionTools(session) }, ...turn.toldSubagents];
}
