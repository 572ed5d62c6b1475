import { modelCard, resolveModel } from '../../../claude-code/models.js';
import { defined } from '../../../document/defined.js';
import type { Message } from '../../../scenario/reply.js';
import type { Failure } from '../../../scenario/schema.js';
import { writeOut } from '../../shared/write-out.js';
import {
  type FailureReport,
  failureDelay,
  partialText,
  reportFailure,
  retryDelay,
} from '../failures/failure-report.js';
import { syntheticEvent, syntheticMessage, systemEvent, userEvent } from '../output/events.js';
import { sleep } from '../session/clock.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { emitMessage } from './emit-message.js';
import type { Ending } from './result.js';

const DEFAULT_RETRIES = 10;
/** After this many overloaded answers the CLI uses the fallback model, if there is one. */
const OVERLOADS_BEFORE_FALLBACK = 3;
/** How often the CLI asks the model to continue an answer that was cut off. */
const RESUMPTIONS = 3;

const RESUME = 'Your response above was cut off mid-stream. Resume directly from where it stops.';

export interface FailedReply {
  rulePath: string;
  failure: Failure;
  afterwards?: Message;
}

export type AfterFailure =
  | { kind: 'recovered'; message: Message }
  | { kind: 'fallback'; model: string }
  | { kind: 'ended'; ending: Ending };

/**
 * Plays a failure: the retries that the CLI makes, and what it reports at the end. The pauses
 * between retries are announced, but the stand-in does not wait.
 */
export async function serveFailure(
  session: Session,
  turn: TurnRecord,
  failed: FailedReply,
  signal: AbortSignal,
): Promise<AfterFailure> {
  const { failure, afterwards } = failed;
  turn.failure = failure.type;
  session.transcript.flush();
  const report = reportFailure(failure, session.model);
  const partial = partialText(failure) ?? '';
  if (partial !== '') return serveCut(session, turn, { ...failed, report, partial }, signal);
  const retries = report.retryError === undefined ? 0 : maxRetries(session.parts.env);
  const fails = failure.times ?? Number.POSITIVE_INFINITY;
  const fallback = failure.type === 'overloaded' ? session.parts.options.fallbackModels[0] : undefined;
  for (let attempt = 1; ; attempt++) {
    await sleep(failureDelay(failure), signal);
    if (attempt > fails) break;
    if (fallback !== undefined && attempt === OVERLOADS_BEFORE_FALLBACK) return fallBack(session, fallback);
    if (attempt > retries) {
      // No retry is left.
      return giveUp(session, turn, report);
    }
    session.emit(
      systemEvent(session.id, 'api_retry', {
        attempt,
        max_retries: retries,
        retry_delay_ms: retryDelay(failure, attempt),
        error_status: report.status,
        error: report.retryError,
      }),
    );
    if (attempt >= fails) break;
  }
  return afterwards === undefined ? giveUp(session, turn, report) : { kind: 'recovered', message: afterwards };
}

interface Cut extends FailedReply {
  report: FailureReport;
  partial: string;
}

/** Plays an answer that is cut off: the CLI asks the model to continue, and gives up after some attempts. */
async function serveCut(session: Session, turn: TurnRecord, cut: Cut, signal: AbortSignal): Promise<AfterFailure> {
  const message: Message = {
    rulePath: cut.rulePath,
    blocks: [{ type: 'text', text: cut.partial }],
    stopReason: 'end_turn',
  };
  const fails = cut.failure.times ?? Number.POSITIVE_INFINITY;
  for (let cuts = 1; ; cuts++) {
    await sleep(failureDelay(cut.failure), signal);
    await emitMessage(session, turn, message, { signal, parentToolUseId: null, promptLength: turn.prompt.length });
    if (cuts > RESUMPTIONS) return giveUp(session, turn, cut.report);
    session.emit(userEvent(session.at(), [{ type: 'text', text: RESUME }], { isSynthetic: true }));
    turn.userLines++;
    if (cuts >= fails && cut.afterwards !== undefined) return { kind: 'recovered', message: cut.afterwards };
  }
}

function fallBack(session: Session, name: string): AfterFailure {
  const model = resolveModel(name);
  session.emit(
    systemEvent(session.id, 'model_fallback', {
      trigger: 'overloaded',
      original_model: session.model,
      fallback_model: model,
      content: `Switched to ${modelCard(model).name} due to high demand for ${modelCard(session.model).name}`,
    }),
  );
  return { kind: 'fallback', model };
}

/** Reports a failure after the last attempt. */
export function giveUp(session: Session, turn: TurnRecord, report: FailureReport): { kind: 'ended'; ending: Ending } {
  if (report.stderr !== undefined) writeOut(2, report.stderr);
  const message = syntheticMessage(report.text, { reason: 'stop_sequence', sequence: '' });
  const { api_error_status: status, api_error_type: type, api_error: kind } = report.fields;
  const extra = {
    error: report.error,
    is_api_error_message: true,
    ...defined({ api_error_status: status, api_error_type: type, api_error: kind }),
  };
  session.emit(syntheticEvent(session.at(), message, extra));
  const { context_management: _, ...kept } = message;
  session.transcript.addMessages([
    {
      type: 'assistant',
      message: kept,
      isApiErrorMessage: true,
      error: report.error,
      timestamp: session.parts.clock.timestamp(),
    },
  ]);
  turn.stopReason = 'stop_sequence';
  const { text, terminalReason, fields } = report;
  return { kind: 'ended', ending: { kind: 'api_error', text, terminalReason, fields } };
}

function maxRetries(env: NodeJS.ProcessEnv): number {
  const wanted = Number(env['CLAUDE_CODE_MAX_RETRIES']);
  return env['CLAUDE_CODE_MAX_RETRIES'] === undefined || !Number.isInteger(wanted) || wanted < 0
    ? DEFAULT_RETRIES
    : wanted;
}
