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

/** Our own colors, and those alone. */
const ESCAPE = '\u001B';
const COLORS = new RegExp(`${ESCAPE}\\[(?:1|2|3|22|23|31|32|33|36|39)m`, 'g');

/** The characters of a printed text that could steer a terminal; none when it is harmless. */
export function harmfulIn(printed: string): string[] {
  const found = printed.replace(COLORS, '').match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu) ?? [];
  return [...new Set(found)].filter((character) => character !== '\n').map((character) => JSON.stringify(character));
}
