/** JSON that is nested deeper than this is refused. Real requests stay below 30. */
export const MAX_JSON_DEPTH = 128;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;

/** The text is nested so deeply that parsing it would cost more than any request is worth. */
export class JsonTooDeep extends SyntaxError {
  constructor() {
    super(`it is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

/** Throws `JsonTooDeep` when a JSON text is nested too deeply. It reads no further than that place. */
export function checkJsonDepth(bytes: Buffer): void {
  skipValue(bytes, skipSpace(bytes, 0));
}

/** The index behind a JSON value that lies so deep, -1 when it does not end. Throws `JsonTooDeep`. */
export function skipValue(bytes: Buffer, from: number, outside = 0): number {
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
  let depth = outside;
  for (let byte: number | undefined = first; byte !== undefined; byte = bytes[at]) {
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      if (at === -1) return -1;
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > MAX_JSON_DEPTH) throw new JsonTooDeep();
    } else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === outside) return at + 1;
    at++;
  }
  return -1;
}

/** The index behind the closing quote; a quote after an odd number of backslashes does not close. */
export function stringEnd(bytes: Buffer, from: number): number {
  let quote = bytes.indexOf(QUOTE, from + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return -1;
}

/** The index of the first byte that is not white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** The index behind the last byte that is not white space. */
export function textEnd(bytes: Buffer): number {
  let to = bytes.length;
  while (isSpace(bytes[to - 1])) to--;
  return to;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
