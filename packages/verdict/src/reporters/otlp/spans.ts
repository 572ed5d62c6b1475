import { randomBytes } from 'node:crypto';
import { agents, type ConversationEvent } from '@understudy/agents';
import { cut, visible } from '@understudy/kit';
import { type EntryResult, isRed } from '../../results/entry-result.js';
import type { RunResult } from '../../results/run-result.js';
import { failureSentence } from '../failure-summary.js';

/** A span as OTLP has it in JSON. */
export interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status: { code: number; message?: string };
}

interface Attribute {
  key: string;
  value: { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean };
}

const INTERNAL = 1;
const CLIENT = 3;
const OK = 1;
const ERROR = 2;
const LONGEST = 4_000;

export interface SpanOptions {
  eventsOf(entry: EntryResult): readonly ConversationEvent[];
  /** Prompts, answers and inputs of tools go along. */
  withContent: boolean;
}

/** A run as the request that OTLP over HTTP takes: a trace for each test, by the conventions for generative AI. */
export function tracesOf(run: RunResult, options: SpanOptions): object {
  const resource = {
    attributes: attributes({
      'service.name': 'understudy',
      'service.version': run.understudy_version,
      'understudy.isolation': run.isolation?.level,
      'understudy.isolation.reason': run.isolation?.reason,
    }),
  };
  const scope = { name: 'understudy', version: run.understudy_version };
  const spans = run.entries.filter(({ attempts }) => attempts > 0).flatMap((entry) => spansOf(entry, run, options));
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
}

export function spansOf(entry: EntryResult, run: Pick<RunResult, 'started_at'>, options: SpanOptions): Span[] {
  const events = options.eventsOf(entry);
  const start = Date.parse(events[0]?.at ?? run.started_at);
  const end = Math.max(start + entry.duration_ms, ...events.map(({ at }) => Date.parse(at)));
  const traceId = randomBytes(16).toString('hex');
  const root = span({ traceId }, `invoke_agent ${entry.agent}`, [start, end], {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': providerOf(entry.agent),
    'gen_ai.agent.name': entry.agent,
    'gen_ai.request.model': modelOf(events),
    'gen_ai.usage.input_tokens': entry.usage?.input_tokens,
    'gen_ai.usage.output_tokens': entry.usage?.output_tokens,
    'test.case.name': entry.name,
    'test.case.result.status': isRed(entry) ? 'fail' : 'pass',
    'understudy.id': entry.id,
    'understudy.stage': entry.stage,
    'understudy.target': entry.target,
    'understudy.isolation': entry.isolation?.level,
    'understudy.status': entry.status,
  });
  root.status = isRed(entry) ? { code: ERROR, message: shown(failureSentence(entry)) } : { code: OK };
  return [root, ...turnSpans(root, events, options), ...toolSpans(root, events, options), ...hookSpans(root, events)];
}

function providerOf(spec: string): string | undefined {
  return Object.values(agents).find(({ name }) => name === spec.split('@')[0])?.provider;
}

function turnSpans(root: Span, events: readonly ConversationEvent[], { withContent }: SpanOptions): Span[] {
  return events.flatMap((event) => {
    if (event.type !== 'turn_ended') return [];
    const { outcome, message, usage, costUsd, milliseconds } = event;
    const end = Date.parse(event.at);
    const own = events.filter(({ turn, call }) => turn === event.turn && call === event.call);
    const text = (type: 'prompt' | 'text') =>
      withContent ? own.flatMap((one) => (one.type === type ? [one.text] : [])).join('\n') || undefined : undefined;
    const turn = span(root, `chat ${modelOf(events) ?? ''}`.trim(), [end - milliseconds, end], {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': modelOf(events),
      'gen_ai.usage.input_tokens': usage?.inputTokens,
      'gen_ai.usage.output_tokens': usage?.outputTokens,
      'gen_ai.input.messages': text('prompt'),
      'gen_ai.output.messages': text('text'),
      'understudy.turn': event.turn,
      'understudy.outcome': outcome,
      'understudy.cost_usd': costUsd,
    });
    turn.kind = CLIENT;
    if (outcome !== 'completed') turn.status = { code: ERROR, message: shown(message ?? outcome) };
    return [turn];
  });
}

function toolSpans(root: Span, events: readonly ConversationEvent[], { withContent }: SpanOptions): Span[] {
  return events.flatMap((event) => {
    if (event.type !== 'tool_call') return [];
    const result = events.find((other) => other.type === 'tool_result' && other.id === event.id);
    const times = [event.at, result?.at ?? event.at].map((at) => Date.parse(at)) as [number, number];
    const tool = span(root, `execute_tool ${event.tool}`, times, {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': event.tool,
      'gen_ai.tool.call.id': event.id,
      'gen_ai.tool.call.arguments': withContent ? JSON.stringify(event.input) : undefined,
      'gen_ai.tool.call.result': withContent && result?.type === 'tool_result' ? result.text : undefined,
      'understudy.turn': event.turn,
    });
    const status = result?.type === 'tool_result' ? result.status : 'no result';
    if (status !== 'ok') tool.status = { code: ERROR, message: shown(status) };
    return [tool];
  });
}

function hookSpans(root: Span, events: readonly ConversationEvent[]): Span[] {
  return events.flatMap((event) => {
    if (event.type !== 'hook_finished') return [];
    const begun = events.find((other) => other.type === 'hook_started' && other.id === event.id);
    const times = [begun?.at ?? event.at, event.at].map((at) => Date.parse(at)) as [number, number];
    const hook = span(root, `hook ${event.name}`, times, {
      'understudy.hook.event': event.event,
      'understudy.hook.outcome': event.outcome,
      'understudy.hook.blocked': event.blocked,
      'understudy.hook.exit_code': event.exitCode,
      'understudy.turn': event.turn,
    });
    if ((event.exitCode ?? 0) !== 0 && !event.blocked) hook.status = { code: ERROR, message: shown(event.outcome) };
    return [hook];
  });
}

function modelOf(events: readonly ConversationEvent[]): string | undefined {
  const session = events.find((event) => event.type === 'session' && event.model !== undefined);
  return session?.type === 'session' ? session.model : undefined;
}

type Values = Record<string, string | number | boolean | undefined>;

function span(
  { traceId, spanId }: { traceId: string; spanId?: string },
  name: string,
  [start, end]: readonly [number, number],
  values: Values,
): Span {
  return {
    traceId,
    spanId: randomBytes(8).toString('hex'),
    ...(spanId === undefined ? {} : { parentSpanId: spanId }),
    name: shown(name, 200),
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributes(values),
    status: { code: OK },
  };
}

function shown(text: string, longest = LONGEST): string {
  return visible(cut(text, longest));
}

function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds)}000000`;
}

function attributes(values: Values): Attribute[] {
  return Object.entries(values).flatMap(([key, value]): Attribute[] => {
    if (value === undefined) return [];
    if (typeof value === 'string') return [{ key, value: { stringValue: shown(value) } }];
    if (typeof value === 'boolean') return [{ key, value: { boolValue: value } }];
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }];
  });
}
