import { basename } from 'node:path';

/** A source map for code whose lines each belong to a line of a file, from 1, or to none. */
export function lineMap(file: string, lines: readonly (number | undefined)[]) {
  let last = 0;
  const mappings = lines.map((line) => {
    if (line === undefined) return '';
    const segment = [0, 0, line - 1 - last, 0].map(toVlq).join('');
    last = line - 1;
    return segment;
  });
  return { version: 3, names: [], sources: [basename(file)], mappings: mappings.join(';') };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Five bits in each digit, the lowest first; the sign is the lowest bit of all. */
function toVlq(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = '';
  do {
    const digit = rest % 32;
    rest = Math.floor(rest / 32);
    text += DIGITS[digit + (rest > 0 ? 32 : 0)];
  } while (rest > 0);
  return text;
}
