import {
  formatPath,
  isObject,
  type JsonObject,
  redactAll,
  shorten,
  type UnlocatedProblem,
  validate,
} from '@understudy/kit';
import { type Answer, answerLists, type ListName } from './answer-schema.js';
import type { Problems } from './problems.js';

/** A longer answer is not read. */
const LONGEST_ANSWER = 1_000_000;
const LONGEST_TEXT = 4_000;
const MOST_ENTRIES = 500;
/** An entry with more mistakes than this is left out. */
const MOST_MISTAKES = 100;
const CONTROL = /(?![\n\t])\p{Cc}/gu;

/**
 * Reads the payload of the answer's event. What is wrong with it is named, and the rest is kept; undefined when there
 * is nothing to keep.
 */
export function readAnswer(
  payload: string,
  problems: Problems,
  redact: (text: string) => string = (text) => text,
): Answer | undefined {
  const value = parse(payload, problems);
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    problems.add('the answer is not a JSON object');
    return undefined;
  }
  const names = Object.keys(answerLists) as ListName[];
  for (const key of Object.keys(value)) {
    if (!names.includes(key as ListName)) problems.add(`\`${key}\` is not part of an answer; left out`);
  }
  if (!names.some((name) => Object.hasOwn(value, name))) {
    problems.add(`the answer has none of ${names.join(', ')}`);
    return undefined;
  }
  const clean = (text: string) => redact(tidy(text));
  const lists = names.map((name) => [name, readList(name, value[name], problems, clean)]);
  return Object.fromEntries(lists) as Answer;
}

function parse(payload: string, problems: Problems): unknown {
  const body = withoutFence(payload.trim());
  if (body === '') problems.add('the answer is empty');
  else if (body.length > LONGEST_ANSWER) {
    problems.add(`the answer has ${body.length} characters; no more than ${LONGEST_ANSWER} are read`);
  } else {
    try {
      return JSON.parse(body);
    } catch (error) {
      // Without the part that the message quotes: half a secret is not recognized as one.
      problems.add(`the answer is not JSON: ${(error as Error).message.replace(/, (?:\.\.\.)?"[\s\S]*$/, '')}`);
    }
  }
  return undefined;
}

/** Models like to wrap JSON in a fence. */
function withoutFence(text: string): string {
  if (text.startsWith('{')) return text;
  const start = /```(?:json)?[ \t]*\n/.exec(text);
  const end = text.lastIndexOf('```');
  if (start === null || end <= start.index + 3) return text;
  return text.slice(start.index + start[0].length, end).trim();
}

function readList(name: ListName, value: unknown, problems: Problems, clean: (text: string) => string): unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    problems.add(`\`${name}\` is not a list; left out`);
    return [];
  }
  if (value.length > MOST_ENTRIES) {
    problems.add(`\`${name}\` has ${value.length} entries; the first ${MOST_ENTRIES} are read`);
  }
  return value.slice(0, MOST_ENTRIES).flatMap((entry, index) => {
    try {
      return readEntry(name, redactAll(withoutNulls(entry), clean), `${name}[${index}]`, problems);
    } catch (error) {
      // Nested so deeply that reading it overflows the stack.
      problems.add(`${name}[${index}] cannot be read: ${(error as Error).message}`);
      return [];
    }
  });
}

/** An entry without the parts that are wrong; nothing when they are required. */
function readEntry(name: ListName, entry: unknown, location: string, problems: Problems): unknown[] {
  const schema = answerLists[name];
  // Not even validated: hundreds of thousands of mistakes would take minutes to describe.
  if (isObject(entry) && Object.values(entry).some((part) => Array.isArray(part) && part.length > MOST_ENTRIES)) {
    problems.add(`${location} has a list with more than ${MOST_ENTRIES} entries; the entry is left out`);
    return [];
  }
  const first = validate(schema, entry);
  if (first.value !== undefined) return [first.value];
  const mend = isObject(entry) && first.findings.length <= MOST_MISTAKES;
  const second = mend ? validate(schema, without(entry, first.findings)) : first;
  const kept = second.value !== undefined;
  for (const { path, message } of first.findings) {
    const at = formatPath(path);
    const where = at === '' ? location : at.startsWith('[') ? `${location}${at}` : `${location}.${at}`;
    problems.add(`${where}: ${message.replace('the document', 'it')}; ${kept ? 'this part' : 'the entry'} is left out`);
  }
  return kept ? [second.value] : [];
}

/** Removes the smallest part that has each finding: a field, or an entry of a nested list. */
function without(entry: JsonObject, findings: readonly UnlocatedProblem[]): JsonObject {
  const kept = { ...entry };
  for (const { path, code } of findings) {
    const [field, index, nested] = path;
    if (typeof field !== 'string') continue;
    const list = kept[field];
    if (!Array.isArray(list) || typeof index !== 'number') delete kept[field];
    // For an extra field in a nested entry, only that field goes.
    else if (code === 'UNKNOWN_FIELD') kept[field] = list.with(index, omit(list[index], String(nested)));
    else kept[field] = list.with(index, undefined);
  }
  for (const [field, value] of Object.entries(kept)) {
    if (Array.isArray(value)) kept[field] = value.filter((item) => item !== undefined);
  }
  return kept;
}

function omit(item: unknown, field: string): unknown {
  if (!isObject(item)) return item;
  const { [field]: _, ...rest } = item;
  return rest;
}

/** Models write null for what they leave out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, entry]) => entry !== null)
      .map(([key, entry]) => [key, withoutNulls(entry)]),
  );
}

/** Without control characters, which would act on a terminal, and not too long. */
function tidy(text: string): string {
  const plain = text.replace(CONTROL, '');
  return shorten(plain, LONGEST_TEXT, ' …');
}
