import { seeded } from './seeded.js';

/** What an agent, plugin or file could use to steer the terminal of a reader. */
export const HOSTILE_PARTS = {
  clipboard: '\u001B]52;c;aGk=\u0007',
  link: '\u001B]8;;http://evil.invalid\u001B\\here\u001B]8;;\u001B\\',
  conceal: '\u001B[8mhidden\u001B[28m',
  'one-byte control': '\u009B2K\u009D52;c;aGk=\u009C',
  'carriage return': 'failed\rpassed',
  backspace: 'no\b\bok',
  delete: '\u007F',
  bidi: '\u202Edessap\u202C\u2066x\u2069',
  separator: '\u2028\u2029\u0085',
  'invisible tag': '\u{E0041}\u200B\uFEFF',
};

/** All of them in one text. */
export const HOSTILE = Object.values(HOSTILE_PARTS).join(' ');

/** Characters by which a terminal, or a reader of one, can be misled: controls, formats, separators. */
const RANGES: readonly [number, number][] = [
  [0x01, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  // Not 0x200d: it joins the parts of an emoji, and stays.
  [0x200b, 0x200c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xfff9, 0xfffb],
  [0xe0020, 0xe007f],
];

/** Another hostile text for each seed: the known parts in another order, among other characters of their kind. */
export function hostileText(seed: number): string {
  const random = seeded(seed);
  const parts = Object.values(HOSTILE_PARTS).map((part) => ({ part, rank: random() }));
  const odd = () => {
    const [from, to] = RANGES[Math.floor(random() * RANGES.length)] ?? [0x1b, 0x1b];
    return String.fromCodePoint(from + Math.floor(random() * (to - from + 1)));
  };
  const shuffled = parts.sort((a, b) => a.rank - b.rank).map(({ part }) => `${part}${odd()}x${odd()}`);
  return shuffled.join(' ');
}

/** Our own colors, and those alone. */
const ESCAPE = '\u001B';
const COLORS = new RegExp(`${ESCAPE}\\[(?:1|2|3|22|23|31|32|33|36|39)m`, 'g');

/** The characters of a printed text that could steer a terminal; none when it is harmless. */
export function harmfulIn(printed: string): string[] {
  const found = printed.replace(COLORS, '').match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu) ?? [];
  return [...new Set(found)].filter((character) => character !== '\n').map((character) => JSON.stringify(character));
}
