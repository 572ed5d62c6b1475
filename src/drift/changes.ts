import { type Change, type ChangeKind, groupBy, listChanges, valueChange } from './change.js';
import { comparableEvents, fieldsOf, inOrder, keyOf, kindOf, sharedLines, toolResult, VALUES } from './differences.js';
import type { Json, Observed } from './observe.js';
import { wireChanges } from './wire-changes.js';

/** What one program did otherwise than another with the same input. */
export function changesBetween(before: Observed, after: Observed): Change[] {
  const changes: Change[] = [
    ...valueChange('exit code', 'exit code', before.exitCode, after.exitCode),
    ...(before.events.length + after.events.length > 0
      ? []
      : valueChange('output', 'stdout', before.stdout.trim(), after.stdout.trim())),
    ...valueChange('output', 'stderr', before.stderr.trim(), after.stderr.trim()),
    ...eventChanges(comparableEvents(before.events), comparableEvents(after.events)),
    ...payloadChanges(before.payloads, after.payloads),
    ...wireChanges(before.wire, after.wire),
    ...listChanges('told', 'the model is told', before.told, after.told),
    ...transcriptChanges(before.transcripts, after.transcripts),
  ];
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
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
    ...keys.flatMap((key) => (old.get(key) ?? []).flatMap((event, at) => eventValues(key, event, own.get(key)?.[at]))),
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

/** What is in an object that came or went as a whole is not told. */
function withoutInsides(changes: readonly Change[]): Change[] {
  const wholes = (side: 'before' | 'after'): string[] =>
    changes.flatMap((change) => /^(.*): (?:object|array)$/.exec(change[side] ?? '')?.[1] ?? []);
  const [gone, added] = [wholes('before'), wholes('after')];
  const isInside = (field: string | undefined, parents: readonly string[]): boolean =>
    field !== undefined && parents.some((parent) => field.startsWith(`${parent}.`) || field.startsWith(`${parent}[]`));
  return changes.filter(({ before, after }) => !isInside(before, gone) && !isInside(after, added));
}

function allFields(lines: readonly Json[]): Set<string> {
  return new Set(lines.flatMap((line) => [...fieldsOf(line)]));
}

function eventValues(key: string, before: Json, after: Json | undefined): Change[] {
  if (after === undefined) return [];
  const named = (VALUES[kindOf(before)] ?? []).flatMap((path) => {
    const [old, own] = [before[path], after[path]];
    if (isTexts(old) && isTexts(own)) return listChanges('event value', `${key} ${path}`, old, own);
    return valueChange('event value', `${key} ${path}`, old, own);
  });
  return [...named, ...valueChange('event value', `${key} content`, toolResult(before), toolResult(after))];
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
