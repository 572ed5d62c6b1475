import type { ConversationEvent, EventOf } from '@understudy/agents';
import { shorten } from '@understudy/kit';
import type { CheckResult } from '../../checks/result.js';
import type { PageRequest } from './page-data.js';
import type { TimelineItem, TimelinePart } from './timeline-turn.js';

/** Results, ends of hooks and of turns stand with what they belong to. */
export function eventItem(event: ConversationEvent, all: readonly ConversationEvent[]): TimelineItem | undefined {
  switch (event.type) {
    case 'session':
      return sessionItem(event);
    case 'prompt':
      return { kind: 'user', title: event.text, parts: longPart('prompt', event.text) };
    case 'command':
      return {
        kind: 'command',
        title: `${event.typed} is ${event.status === 'unknown' ? 'unknown' : event.name}`,
        ...(event.status === 'unknown' ? { tone: 'bad' as const } : {}),
        parts: json('similar', event.similar),
      };
    case 'expansion':
      return { kind: 'expansion', title: event.name, parts: [{ label: 'what the model got', text: event.text }] };
    case 'text':
      return { kind: event.agent ?? 'agent', title: event.text, parts: longPart('text', event.text) };
    case 'thinking':
      return { kind: 'thinking', title: event.text, tone: 'quiet', parts: longPart('thinking', event.text) };
    case 'tool_call':
      return toolItem(event, all);
    case 'tool_result':
      return all.some((other) => other.type === 'tool_call' && other.id === event.id)
        ? undefined
        : { kind: 'tool', title: `${event.tool} → ${event.status}`, parts: [{ label: 'result', text: event.text }] };
    case 'permission':
      return {
        kind: 'permission',
        title: `${event.tool}: ${event.decision}`,
        tone: event.decision === 'allow' ? 'good' : 'bad',
        parts: [...json('input', event.input), ...textPart('message', event.message)],
      };
    case 'hook_started':
      return all.some((other) => other.type === 'hook_finished' && other.id === event.id)
        ? undefined
        : { kind: 'hook', title: `${event.name} did not end`, tone: 'bad', parts: [] };
    case 'hook_finished':
      return hookItem(event, all);
    case 'subagent_started':
      return { kind: 'subagent', title: event.agent, parts: textPart('prompt', event.prompt) };
    case 'subagent_finished':
      return { kind: 'subagent', title: event.status, parts: textPart('summary', event.summary) };
    case 'retry':
      return { kind: 'retry', title: `attempt ${event.attempt}: ${event.message}`, parts: [] };
    case 'notice':
      return {
        kind: 'notice',
        title: event.text,
        ...(event.level === 'error' ? { tone: 'bad' as const } : {}),
        parts: longPart('notice', event.text),
      };
    case 'interrupt':
      return { kind: 'user', title: 'interrupted the turn', parts: [] };
    case 'file_changed':
      return fileItem(event);
    case 'files_not_watched':
      return { kind: 'file', title: event.message, tone: 'bad', parts: textPart('fix', event.fix) };
    case 'commit':
      return {
        kind: 'commit',
        title: event.message.split('\n')[0] ?? '',
        parts: [{ label: event.hash.slice(0, 12), text: `${event.message}\n\n${event.files.join('\n')}` }],
      };
    case 'process_ended':
      return {
        kind: 'process',
        title: `ended with ${event.signal ?? event.code}`,
        ...(event.unexpected ? { tone: 'bad' as const } : { tone: 'quiet' as const }),
        parts: [
          ...textPart('stderr', event.stderr),
          ...textPart('left running', event.leftovers?.join('\n') || undefined),
        ],
      };
    case 'screen':
      return { kind: 'screen', title: 'the terminal', parts: [{ label: 'screen', text: event.text }] };
    case 'unreadable':
      return { kind: 'notice', title: `could not be read: ${event.path} ${event.reason}`, tone: 'bad', parts: [] };
    case 'output_cut':
      return {
        kind: 'notice',
        title: `the output of the ${event.scope} was cut at ${event.limitBytes} bytes`,
        tone: 'bad',
        parts: [],
      };
    case 'program':
      return {
        kind: 'program',
        title: event.command.join(' '),
        ...(event.code === 0 ? {} : { tone: 'bad' as const }),
        parts: [
          ...textPart('stdout', event.stdout || undefined),
          ...textPart('stderr', event.stderr || undefined),
          ...textPart('left running', event.leftovers?.join('\n') || undefined),
        ],
      };
    case 'call':
      return {
        kind: `call ${event.call ?? ''}`.trim(),
        title: event.command.join(' '),
        parts: [...textPart('standard input', event.stdin), ...json('started by', event.parent)],
      };
    case 'turn_ended':
      return event.message === undefined
        ? undefined
        : { kind: 'turn', title: event.message, tone: 'bad', parts: longPart('message', event.message) };
    case 'session_ended':
      return { kind: 'session', title: event.reason, tone: 'quiet', parts: [] };
    case 'unknown':
      return { kind: 'unknown', title: event.kind, tone: 'quiet', parts: json('data', event.data) };
  }
}

function sessionItem(event: EventOf<'session'>): TimelineItem {
  const { type: _, seq: _seq, at: _at, turn: _turn, ...facts } = event;
  const bad = (event.pluginErrors ?? []).length > 0;
  return {
    kind: 'session',
    title: [event.agent, event.version, event.model].filter((part) => part !== undefined).join(' '),
    tone: bad ? 'bad' : 'quiet',
    parts: json('session', facts),
  };
}

function toolItem(event: EventOf<'tool_call'>, all: readonly ConversationEvent[]): TimelineItem {
  const result = all.find(
    (other): other is EventOf<'tool_result'> => other.type === 'tool_result' && other.id === event.id,
  );
  const status = result?.status ?? 'no result';
  const input = JSON.stringify(event.input);
  return {
    kind: event.agent === undefined ? 'tool' : `${event.agent}: tool`,
    title: `${event.tool} ${shorten(input, 120)} → ${status}`,
    ...(status === 'ok' ? {} : { tone: 'bad' as const }),
    parts: [...json('input', event.input), ...textPart('result', result?.text)],
  };
}

function hookItem(event: EventOf<'hook_finished'>, all: readonly ConversationEvent[]): TimelineItem {
  const begun = all.find((other) => other.type === 'hook_started' && other.id === event.id);
  const took = begun === undefined ? '' : ` in ${Date.parse(event.at) - Date.parse(begun.at)} ms`;
  const code = event.exitCode === undefined ? '' : ` (exit code ${event.exitCode})`;
  return {
    kind: 'hook',
    title: `${event.name}: ${event.blocked ? 'blocked' : event.outcome}${code}${took}`,
    ...(event.blocked || (event.exitCode ?? 0) !== 0 ? { tone: 'bad' as const } : {}),
    parts: [
      ...textPart('reason', event.reason),
      ...json('payload', event.payload),
      ...textPart('stdout', event.stdout || undefined),
      ...textPart('stderr', event.stderr || undefined),
    ],
  };
}

function fileItem({ path, change, before = '', after = '' }: EventOf<'file_changed'>): TimelineItem {
  return { kind: 'file', title: `${path} ${change}`, parts: [{ label: path, before, after }] };
}

export function requestItem(request: PageRequest): TimelineItem {
  const { number, kind = 'request', status, milliseconds, rulePath, auxiliary, failure, answer, prompt } = request;
  const what = auxiliary ?? failure ?? rulePath ?? kind;
  const took = milliseconds === undefined ? '' : ` in ${Math.round(milliseconds)} ms`;
  return {
    kind: 'request',
    title: `request ${number}: ${what} → ${status ?? 'no answer'}${took}`,
    tone: kind === 'unanswered' || kind === 'refused' ? 'bad' : 'quiet',
    parts: [
      ...textPart('problem', request.problem),
      ...textPart('what the model was told', prompt),
      ...json('tool results', request.results),
      ...textPart('thinking', answer?.thinking),
      ...textPart('answer', answer?.text || undefined),
      ...json('tools', answer?.tools?.length ? answer.tools : undefined),
    ],
  };
}

export function checkItem(check: CheckResult): TimelineItem {
  const passed = check.status === 'passed';
  return {
    kind: 'check',
    title: `${check.name}: ${passed ? check.actual : `${check.status}, expected ${check.expected}`}`,
    tone: passed ? 'good' : 'bad',
    parts: [{ label: check.name, check }],
  };
}

/** A text that does not fit on the line of its title. */
export function longPart(label: string, value: string): TimelinePart[] {
  return value.length > 160 || value.includes('\n') ? [{ label, text: value }] : [];
}

export function textPart(label: string, value: string | undefined): TimelinePart[] {
  return value === undefined ? [] : [{ label, text: value }];
}

function json(label: string, value: unknown): TimelinePart[] {
  return value === undefined ? [] : [{ label, text: JSON.stringify(value, null, 2) }];
}
