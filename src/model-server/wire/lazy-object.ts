import type { JsonObject } from './json.js';

/** Below this a body is parsed whole: that is faster, and finds every mistake in it. */
const SMALL_BODY = 8 * 1024;
const SMALL_VALUE = 256;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Parses a request. Most of a coding agent's request (tool schemas, system prompts) does not matter
 * to a script: in a large body, each long value is parsed when it is first looked at, and never else.
 */
export function parseLazily(bytes: Buffer): unknown {
  if (bytes.length < SMALL_BODY) return JSON.parse(bytes.toString('utf8'));
  const from = skipSpace(bytes, 0);
  const to = skipValue(bytes, from);
  // What does not end where it should is left to the parser, whose error says why.
  if (to === -1 || skipSpace(bytes, to) !== bytes.length) return JSON.parse(bytes.toString('utf8'));
  return parseRange(bytes, from, to);
}

function parseRange(bytes: Buffer, from: number, to: number): unknown {
  const whole = () => JSON.parse(bytes.toString('utf8', from, to)) as unknown;
  if (to - from < SMALL_VALUE) return whole();
  if (bytes[from] === OPEN_ARRAY) return elementsOf(bytes, from, to) ?? whole();
  if (bytes[from] !== OPEN_OBJECT) return whole();
  const ranges = rangesOf(bytes, from, to);
  if (ranges === undefined) return whole();
  const object: JsonObject = {};
  for (const [key, start, end] of ranges) {
    const late = end - start >= SMALL_VALUE;
    if (late) defineLate(object, key, () => parseRange(bytes, start, end));
    else define(object, key, parseRange(bytes, start, end));
  }
  return object;
}

/** Whether a list is missing or empty, without parsing one that is long. */
export function isBlankList(body: JsonObject, key: string): boolean {
  const property = Object.getOwnPropertyDescriptor(body, key);
  if (property === undefined || property.get !== undefined) return property === undefined;
  return !Array.isArray(property.value) || property.value.length === 0;
}

function defineLate(object: JsonObject, key: string, read: () => unknown): void {
  Object.defineProperty(object, key, {
    enumerable: true,
    configurable: true,
    get() {
      const value = read();
      define(object, key, value);
      return value;
    },
  });
}

/** Not an assignment: `__proto__` is a key like any other. */
function define(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else if (Object.hasOwn(object, key))
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

type Range = [key: string, from: number, to: number];

/** Where the values of an object stand; undefined when it is no plain one. */
function rangesOf(bytes: Buffer, from: number, to: number): Range[] | undefined {
  const ranges: Range[] = [];
  let at = from;
  do {
    const key = skipSpace(bytes, at + 1);
    if (bytes[key] !== QUOTE) return undefined;
    const keyEnd = stringEnd(bytes, key);
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return undefined;
    const value = skipSpace(bytes, colon + 1);
    const valueEnd = skipValue(bytes, value);
    if (valueEnd <= value) return undefined;
    ranges.push([JSON.parse(bytes.toString('utf8', key, keyEnd)), value, valueEnd]);
    at = skipSpace(bytes, valueEnd);
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSE_OBJECT && at + 1 === to ? ranges : undefined;
}

function elementsOf(bytes: Buffer, from: number, to: number): unknown[] | undefined {
  const elements: unknown[] = [];
  let at = from;
  do {
    const value = skipSpace(bytes, at + 1);
    const valueEnd = skipValue(bytes, value);
    if (valueEnd <= value) return undefined;
    elements.push(parseRange(bytes, value, valueEnd));
    at = skipSpace(bytes, valueEnd);
  } while (bytes[at] === COMMA);
  return bytes[at] === CLOSE_ARRAY && at + 1 === to ? elements : undefined;
}

/** The index behind a value, -1 when it does not end. */
function skipValue(bytes: Buffer, from: number): number {
  const first = bytes[from];
  if (first === QUOTE) return stringEnd(bytes, from);
  let at = from;
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) {
    for (
      let byte = first;
      byte !== undefined && byte > 0x20 && byte !== COMMA && byte !== CLOSE_OBJECT && byte !== CLOSE_ARRAY;
      byte = bytes[at]
    )
      at++;
    return at;
  }
  let depth = 0;
  for (let byte: number | undefined = first; byte !== undefined; byte = bytes[at]) {
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      if (at === -1) return -1;
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return at + 1;
    at++;
  }
  return -1;
}

/** The index behind the closing quote; a quote behind an odd number of backslashes does not close. */
function stringEnd(bytes: Buffer, from: number): number {
  let quote = bytes.indexOf(QUOTE, from + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return -1;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at]) at++;
  return at;
}
