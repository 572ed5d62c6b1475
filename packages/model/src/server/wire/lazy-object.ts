import { checkJsonDepth, type JsonObject, skipSpace, skipValue, stringEnd, textEnd } from '@understudy/kit';
import { ScannedValues } from './scanned-values.js';

/** Below this a body is parsed whole: that is faster, and finds every mistake in it. */
const SMALL_BODY = 8 * 1024;
const SMALL_VALUE = 256;
const SMALL_MEMBER = 32;
/** No request has more fields than this. */
const MOST_FIELDS = 256;
/**
 * Lists and objects below this level are parsed whole: body, messages, message, content. Each lazy level reads
 * its part of the body once more, so their number is fixed.
 */
const LAZY_LEVELS = 4;

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Parses a request. Most of a coding agent's request (tool schemas, system prompts) does not matter
 * to a script: in a large body, each long value is parsed when it is first looked at, and never else.
 * Throws `JsonTooDeep` before anything is parsed.
 */
export function parseLazily(bytes: Buffer): unknown {
  if (bytes.length >= SMALL_BODY) {
    const range = { bytes, from: skipSpace(bytes, 0), to: textEnd(bytes) };
    const members = bytes[range.from] === OPEN_OBJECT ? membersOf(range, MOST_FIELDS, scanned) : undefined;
    if (members !== undefined) return lazyObject(members, LAZY_LEVELS);
  }
  // What does not end where it should is left to the parser, whose error says why.
  checkJsonDepth(bytes);
  return JSON.parse(bytes.toString('utf8'));
}

const scanned = new ScannedValues();

/** Parses one message of a body, as `parseLazily` does. */
export function parsePart(bytes: Buffer): unknown {
  return parseRange({ bytes, from: 0, to: bytes.length }, LAZY_LEVELS - 2);
}

interface Range {
  bytes: Buffer;
  from: number;
  to: number;
  /** Where the elements of a list end, from its beginning, if that is known. */
  ends?: readonly number[];
}

function parseRange(range: Range, levels: number): unknown {
  const { bytes, from, to } = range;
  const size = to - from;
  const whole = () => JSON.parse(bytes.toString('utf8', from, to)) as unknown;
  if (size < SMALL_VALUE || levels === 0) return whole();
  if (bytes[from] === OPEN_ARRAY) {
    const elements = elementsOf(range, size / SMALL_VALUE);
    return elements?.map((element) => parseRange(element, levels - 1)) ?? whole();
  }
  if (bytes[from] !== OPEN_OBJECT) return whole();
  const members = membersOf(range, size / SMALL_MEMBER);
  return members === undefined ? whole() : lazyObject(members, levels);
}

function lazyObject(members: readonly Member[], levels: number): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of members) {
    const late = value.to - value.from >= SMALL_VALUE;
    const key = JSON.parse(name.bytes.toString('utf8', name.from, name.to)) as string;
    if (late) defineLate(object, key, value, levels - 1);
    else define(object, key, parseRange(value, levels - 1));
  }
  return object;
}

/** Whether a list is missing or empty, without parsing one that is long. */
export function isBlankList(body: JsonObject, key: string): boolean {
  const property = Object.getOwnPropertyDescriptor(body, key);
  if (property === undefined || property.get !== undefined) return property === undefined;
  return !Array.isArray(property.value) || property.value.length === 0;
}

/** A value that nobody has looked at yet: its bytes, and where its elements end if it is a plain list. */
export function unread(body: JsonObject, key: string): { bytes: Buffer; ends?: readonly number[] } | undefined {
  const get = Object.getOwnPropertyDescriptor(body, key)?.get as { range?: Range } | undefined;
  if (get?.range === undefined) return undefined;
  const { bytes, from, to, ends } = get.range;
  const part = bytes.subarray(from, to);
  return ends === undefined ? { bytes: part } : { bytes: part, ends };
}

function defineLate(object: JsonObject, key: string, range: Range, levels: number): void {
  const read = () => {
    const value = parseRange(range, levels);
    define(object, key, value);
    return value;
  };
  Object.defineProperty(object, key, { enumerable: true, configurable: true, get: Object.assign(read, { range }) });
}

/** Not an assignment: `__proto__` is a key like any other. */
function define(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__' || Object.hasOwn(object, key))
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

type Member = [name: Range, value: Range];

/** Where the names and values of an object are; undefined when it is not a plain one, or has more than `most`. */
function membersOf({ bytes, from, to }: Range, most: number, known?: ScannedValues): Member[] | undefined {
  const members: Member[] = [];
  let at = from;
  do {
    const key = skipSpace(bytes, at + 1);
    if (bytes[key] !== QUOTE) return undefined;
    const keyEnd = stringEnd(bytes, key);
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return undefined;
    const value = skipSpace(bytes, colon + 1);
    const extent = known?.skip(bytes.toString('latin1', key, keyEnd), bytes, value, 1) ?? {
      to: skipValue(bytes, value),
    };
    if (extent.to <= value || members.length > most) return undefined;
    members.push([
      { bytes, from: key, to: keyEnd },
      { bytes, from: value, ...extent },
    ]);
    at = skipSpace(bytes, extent.to);
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSE_OBJECT && at + 1 === to ? members : undefined;
}

/**
 * Where the elements of a list are; undefined when it is not a plain one, or has more than `most`: many small
 * values are parsed faster together than one by one.
 */
function elementsOf({ bytes, from, to }: Range, most: number): Range[] | undefined {
  const elements: Range[] = [];
  let at = from;
  do {
    const value = skipSpace(bytes, at + 1);
    const valueEnd = skipValue(bytes, value);
    if (valueEnd <= value || elements.length > most) return undefined;
    elements.push({ bytes, from: value, to: valueEnd });
    at = skipSpace(bytes, valueEnd);
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSE_ARRAY && at + 1 === to ? elements : undefined;
}
