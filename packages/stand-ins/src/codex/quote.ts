type Quotes = 'none' | 'single' | 'double';

const BARE = /^[-+./:@\]_0-9A-Za-z]$/;

/** Which quotes a character may stand in. */
const MAY_STAND: Record<Quotes, (sign: string) => boolean> = {
  none: (sign) => BARE.test(sign),
  single: (sign) => !["'", '\\', '^'].includes(sign),
  double: (sign) => !['`', '$', '!', '^'].includes(sign),
};

/** A word for a shell, in quotes where it needs them, as Codex writes commands: in pieces, each in its own quotes. */
export function quoteWord(word: string): string {
  if (word === '') return "''";
  const signs = [...word];
  let quoted = '';
  while (signs.length > 0) {
    let fitting: Quotes[] = ['none', 'single', 'double'];
    let length = 0;
    // A caret must be the first thing in single quotes: bash takes it for a reference to its history elsewhere.
    if (signs[0] === '^') {
      fitting = ['single'];
      length = 1;
    }
    for (const sign of signs.slice(length)) {
      const still = fitting.filter((quotes) => MAY_STAND[quotes](sign));
      if (still.length === 0) break;
      fitting = still;
      length++;
    }
    quoted += inQuotes(signs.splice(0, length).join(''), fitting[0] ?? 'single');
  }
  return quoted;
}

function inQuotes(text: string, quotes: Quotes): string {
  if (quotes === 'none') return text;
  return quotes === 'single' ? `'${text}'` : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
