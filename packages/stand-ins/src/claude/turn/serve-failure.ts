import { modelCard, REPEAT_REQUEST, RESUME_REQUEST, resolveModel } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { BEGUN_TOKENS, type Failure, type Message } from '@understudy/script';
import { writeOut } from '../../shared/write-out.js';
import {
  type FailureReport,
  failureDelay,
  maxRetries,
  partialText,
  reportFailure,
  retryDelay,
} from '../failures/failure-report.js';
import { fire } from '../hooks/fire-if-any.js';
import { syntheticEvent, syntheticMessage } from '../output/events.js';
import { apiId, uuid } from '../output/ids.js';
import { noTokens } from '../output/usage.js';
import { REFUSED } from '../refused.js';
import { sleep } from '../session/clock.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { askAgain } from './ask-again.js';
import { announceRequest, display, emitBegun, emitMessage } from './emit-message.js';
import { checkBudget } from './limits.js';
import type { Ending } from './result.js';
import type { TurnOutcome } from './speaker.js';
import { unsupported } from './unanswered.js';

/** After this many answers of a kind the CLI uses the fallback model, if there is one. */
const FAILURES_BEFORE_FALLBACK = { overloaded: 3, server_error: 1, model_not_found: 1 } as const;
/** How often the CLI asks the model to continue an answer that was cut off. */
const RESUMPTIONS = 3;

export interface FailedReply {
  rulePath: string;
  failure: Failure;
  afterwards?: Message;
}

/** Who asked the model. */
export interface Requester {
  /** The tool use that started the subagent; null for the main agent. */
  parentToolUseId: string | null;
  signal: AbortSignal;
}

export type AfterFailure =
  | { kind: 'recovered'; message: Message }
  | { kind: 'fallback'; model: string /** How many more requests fail. */; left: number }
  | { kind: 'limited'; outcome: TurnOutcome }
  | { kind: 'ended'; ending: Ending };

/**
 * Plays a failure: the retries that the CLI makes, and what it reports at the end. The pauses
 * between retries are announced, but the stand-in does not wait.
 */
export async function serveFailure(
  session: Session,
  turn: TurnRecord,
  failed: FailedReply,
  asked: Requester,
): Promise<AfterFailure> {
  const { signal } = asked;
  const { failure, afterwards } = failed;
  turn.failure = failure.type;
  session.transcript.flush();
  const { env, options } = session.parts;
  const requestId = (): string => apiId('req');
  const { usedModel: model, conversation } = session;
  const { contextTokens } = conversation;
  const hasHistory = session.conversation.prompts > 1;
  const report = reportFailure(failure, { model, env, contextTokens, hasHistory, requestId });
  const partial = partialText(failure) ?? '';
  if (partial !== '') return serveCut(session, turn, { ...failed, report, partial }, asked);
  const retries = report.retryError === undefined ? 0 : maxRetries(env);
  const fails = afterwards === undefined ? Number.POSITIVE_INFINITY : (failure.times ?? Number.POSITIVE_INFINITY);
  const fallback = fallbackFor(failure, options.fallbackModels, session.usedModel);
  let requests = 0;
  const answered = async (): Promise<boolean> => {
    await sleep(failureDelay(failure), signal);
    return ++requests > fails;
  };
  for (let attempt = 1; ; attempt++) {
    if (await answered()) break;
    if (report.begun !== undefined) countBegun(session, turn, report.begun);
    if (report.stderr !== undefined) writeOut(2, report.stderr);
    if (fallback !== undefined && attempt === FAILURES_BEFORE_FALLBACK[fallback.trigger]) {
      fallBack(session, fallback);
      return { kind: 'fallback', model: fallback.model, left: fails - requests };
    }
    if (attempt > retries) {
      if (report.asksWithoutStream === true && (await answered())) break;
      if (report.compactsFirst === true) {
        if (session.conversation.answered > 0 || session.conversation.failed > 1)
          return { kind: 'limited', outcome: unsupported(REFUSED.compaction) };
        sendTooShort(session);
      }
      return giveUp(session, turn, report, asked);
    }
    announceRetry(session, failure, report, { attempt, retries });
  }
  return { kind: 'recovered', message: afterwards as Message };
}

/** Before there is an answer, there is nothing that could be compacted. */
function sendTooShort(session: Session): void {
  const status = (fields: object): void => session.out.system('status', { status: null, ...fields });
  status({ status: 'compacting', compact_output_chars: 0 });
  status({ compact_result: 'failed', compact_error: 'too_few_groups' });
}

/** The beginning of a stream counts, even though nothing came of it. */
function countBegun(session: Session, turn: TurnRecord, begun: 'once' | 'twice'): void {
  const tokens = { ...noTokens(), ...BEGUN_TOKENS };
  turn.count(session, session.usedModel, tokens);
  if (begun === 'twice') countAgain(session);
  emitBegun(session, turn, tokens);
}

/** What an answer has cost that was cut off: the CLI counts what was written at its beginning, and at its end. */
function countAgain(session: Session): void {
  session.spending.add(session.usedModel, { ...noTokens(), output: BEGUN_TOKENS.output });
}

function announceRetry(
  session: Session,
  failure: Failure,
  report: FailureReport,
  { attempt, retries }: { attempt: number; retries: number },
): void {
  session.out.system('api_retry', {
    attempt,
    max_retries: retries,
    retry_delay_ms: retryDelay(failure, attempt),
    error_status: report.status,
    error: report.retryError,
  });
}

interface Cut extends FailedReply {
  report: FailureReport;
  partial: string;
}

/** Plays an answer that is cut off: the CLI asks the model to continue, and gives up after some attempts. */
async function serveCut(session: Session, turn: TurnRecord, cut: Cut, asked: Requester): Promise<AfterFailure> {
  const { parentToolUseId, signal } = asked;
  const isMain = parentToolUseId === null;
  const request = isMain ? RESUME_REQUEST : REPEAT_REQUEST;
  const message: Message = {
    rulePath: cut.rulePath,
    blocks: [{ type: 'text', text: cut.partial }],
    stopReason: 'end_turn',
    usage: { input_tokens: BEGUN_TOKENS.input, output_tokens: BEGUN_TOKENS.output },
  };
  const fails = cut.failure.times ?? Number.POSITIVE_INFINITY;
  for (let cuts = 1; ; cuts++) {
    await sleep(failureDelay(cut.failure), signal);
    await emitMessage(session, turn, message, {
      ...asked,
      inputLength: turn.prompt.length,
      cutOff: true,
    });
    countAgain(session);
    const overspent = checkBudget(session);
    if (overspent !== undefined) return { kind: 'limited', outcome: overspent };
    if (cuts > RESUMPTIONS) return giveUp(session, turn, cut.report, asked);
    askAgain(session, turn, request);
    announceRequest(session, parentToolUseId);
    if (cuts >= fails && cut.afterwards !== undefined) return { kind: 'recovered', message: cut.afterwards };
  }
}

interface Fallback {
  model: string;
  trigger: keyof typeof FAILURES_BEFORE_FALLBACK;
}

/** The model that is used when the API is in trouble or does not have the other one, unless it is in use already. */
function fallbackFor({ type }: Failure, models: readonly string[], current: string): Fallback | undefined {
  const [name] = models;
  if (name === undefined || !isFallbackTrigger(type)) return undefined;
  const model = resolveModel(name);
  return model === current ? undefined : { model, trigger: type };
}

function isFallbackTrigger(type: Failure['type']): type is Fallback['trigger'] {
  return Object.hasOwn(FAILURES_BEFORE_FALLBACK, type);
}

function fallBack(session: Session, { model, trigger }: Fallback): void {
  const asked = modelCard(session.usedModel).name;
  const reason =
    trigger === 'model_not_found' ? `because ${asked} is not available` : `due to high demand for ${asked}`;
  const content = `Switched to ${modelCard(model).name} ${reason}`;
  session.out.system('model_fallback', {
    trigger,
    original_model: session.usedModel,
    fallback_model: model,
    content,
  });
}

/** Reports a failure after the last attempt. */
export async function giveUp(
  session: Session,
  turn: TurnRecord,
  report: FailureReport,
  { parentToolUseId, signal }: Requester,
): Promise<{ kind: 'ended'; ending: Ending }> {
  const { text, error, terminalReason, fields } = report;
  const isMain = parentToolUseId === null;
  if (isMain) await display(session, turn, text, signal);
  const message = syntheticMessage(text, { reason: 'stop_sequence', sequence: '' });
  const { api_error_status: status, api_error_type: type, api_error: kind } = fields;
  const requestId = status === undefined ? undefined : apiId('req');
  const lineId = uuid();
  // Only the end of a subagent that is waited for is reported.
  if (session.subagent?.inBackground !== false)
    session.out.emit({
      ...syntheticEvent(session.out.at(parentToolUseId), message, {
        error,
        ...defined({ request_id: requestId }),
        is_api_error_message: true,
        ...defined({ api_error_status: isMain ? status : undefined, api_error_type: type, api_error: kind }),
        ...session.out.signature(),
      }),
      uuid: lineId,
    });
  session.out.writing.addMessages([
    {
      type: 'assistant',
      uuid: lineId,
      timestamp: session.parts.clock.timestamp(),
      message,
      ...defined({ requestId }),
      error,
      isApiErrorMessage: true,
    },
  ]);
  if (isMain) session.conversation.failed++;
  turn.stopReason = 'stop_sequence';
  const about = { error, ...defined({ error_details: report.details }), last_assistant_message: text };
  await fire(session, 'StopFailure', about, signal);
  const where = [
    `error type ${error}`,
    ...(status === undefined
      ? []
      : [`HTTP ${status}`, `request id ${requestId}`, `model sent to the API: ${session.usedModel}`]),
  ];
  return { kind: 'ended', ending: { kind: 'api_error', text, terminalReason, fields, where: where.join(', ') } };
}
