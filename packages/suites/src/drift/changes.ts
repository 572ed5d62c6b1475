import { type Change, type ChangeKind, groupBy, listChanges, valueChange, withoutInsides } from './change.js';
import { comparableEvents, fieldsOf, keyOf, kindOf, sharedLines, toolResult, VALUES } from './differences.js';
import { inOrder } from './line-order.js';
import type { Json, Observed } from './observe.js';
import { wireChanges } from './wire-changes.js';

/** What one program did otherwise than another with the same input. */
export function changesBetween(before: Observed, after: Observed): Change[] {
  const events = eventChanges(comparableEvents(before.events), comparableEvents(after.events));
  const changes: Change[] = [
    ...valueChange('exit code', 'exit code', before.exitCode, after.exitCode),
    ...(before.events.length + after.events.length > 0
      ? []
      : valueChange('output', 'stdout', before.stdout.trim(), after.stdout.trim())),
    ...valueChange('output', 'stderr', before.stderr.trim(), after.stderr.trim()),
    ...events,
    ...payloadChanges(before.payloads, after.payloads),
    ...wireChanges(before.wire, after.wire),
    ...toldChanges(before, after).filter((change) => !isInResult(change, events)),
    ...transcriptChanges(before.transcripts, after.transcripts),
  ];
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}

/** Without requests the model is told nothing: that there are none any more is a change of its own. */
function toldChanges(before: Observed, after: Observed): Change[] {
  if ((before.wire.length === 0) !== (after.wire.length === 0)) return [];
  return listChanges('told', 'the model is told', before.told, after.told);
}

/** Whether a change of an event already shows this text of its tool result. */
function isInResult({ before, after }: Change, events: readonly Change[]): boolean {
  const isIn = (text: string | undefined, whole: string | undefined): boolean =>
    text === undefined || whole?.includes(JSON.stringify(text).slice(1, -1)) === true;
  return events.some((event) => event.kind === 'event value' && isIn(before, event.before) && isIn(after, event.after));
}

/** Events of one kind are compared in their order; an event that came or went is no reason not to compare the others. */
function eventChanges(before: readonly Json[], after: readonly Json[]): Change[] {
  const old = groupBy(before, keyOf);
  const own = groupBy(after, keyOf);
  const keys = [...new Set([...old.keys(), ...own.keys()])];
  const counts = keys.flatMap((key) => valueChange('event', key, countOf(old.get(key)), countOf(own.get(key))));
  const order = (events: readonly Json[]): string => events.map(keyOf).join(', ');
  return [
    ...counts,
    ...(counts.length > 0 ? [] : valueChange('event', 'order', order(before), order(after))),
    ...keys.flatMap((key) => fieldChanges('event field', key, old.get(key), own.get(key))),
    ...keys.flatMap((key) => valueChanges(key, old.get(key) ?? [], own.get(key) ?? [])),
  ];
}

function countOf(events: readonly Json[] | undefined): string | undefined {
  return events === undefined ? undefined : `${events.length} ×`;
}

function fieldChanges(
  kind: ChangeKind,
  key: string,
  before: readonly Json[] | undefined,
  after: readonly Json[] | undefined,
): Change[] {
  if (before === undefined || after === undefined) return [];
  return withoutInsides(listChanges(kind, key, allFields(before), allFields(after)));
}

function allFields(lines: readonly Json[]): Set<string> {
  return new Set(lines.flatMap((line) => [...fieldsOf(line)]));
}

function valueChanges(key: string, before: readonly Json[], after: readonly Json[]): Change[] {
  // A field that only one of them has is reported as a field.
  const isShared = (path: string): boolean => [before, after].every((events) => events.some((event) => path in event));
  return before.flatMap((event, at) => eventValues(key, event, after[at], isShared));
}

function eventValues(
  key: string,
  before: Json,
  after: Json | undefined,
  isShared: (path: string) => boolean,
): Change[] {
  if (after === undefined) return [];
  const named = (VALUES[kindOf(before)] ?? []).filter(isShared).flatMap((path) => {
    const [old, own] = [before, after].map((event) => (path === COST ? costOf(event[path]) : event[path]));
    if (isTexts(old) && isTexts(own)) return listChanges('event value', `${key} ${path}`, old, own);
    return valueChange('event value', `${key} ${path}`, old, own);
  });
  return [...named, ...valueChange('event value', `${key} content`, toolResult(before), toolResult(after))];
}

const COST = 'total_cost_usd';

/** How much a token costs depends on the model; that it costs something is what the CLI does. */
function costOf(cost: unknown): unknown {
  return typeof cost === 'number' && cost > 0 ? 'more than 0' : cost;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function payloadChanges(before: readonly Json[], after: readonly Json[]): Change[] {
  const eventOf = (payload: Json): string => String(payload['hook_event_name']);
  const old = groupBy(before, eventOf);
  const own = groupBy(after, eventOf);
  const keys = [...new Set([...old.keys(), ...own.keys()])];
  return keys.flatMap((key) => [
    ...valueChange('hook payload', key, countOf(old.get(key)), countOf(own.get(key))),
    ...fieldChanges('hook payload', key, old.get(key), own.get(key)),
  ]);
}

function transcriptChanges(before: readonly Json[][], after: readonly Json[][]): Change[] {
  if (before.length !== after.length)
    return valueChange('transcript', 'number of transcripts', before.length, after.length);
  return before.flatMap((lines, at) => {
    const old = groupBy(inOrder(sharedLines(lines)), keyOf);
    const own = groupBy(inOrder(sharedLines(after[at] ?? [])), keyOf);
    const keys = [...new Set([...old.keys(), ...own.keys()])];
    return keys.flatMap((key) => [
      ...valueChange('transcript', key, countOf(old.get(key)), countOf(own.get(key))),
      ...fieldChanges('transcript', key, old.get(key), own.get(key)),
    ]);
  });
}
