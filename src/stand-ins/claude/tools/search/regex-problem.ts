/** A place in a pattern that ripgrep does not take, and its word for it. */
interface Problem {
  from: number;
  length: number;
  words: string;
}

const PCRE = '\n\nConsider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\nand look-around.';
const LOOK_AROUND = `look-around, including look-ahead and look-behind, is not supported${PCRE}`;

/** The mistakes that are made most, with how long the wrong part is. */
const KINDS: readonly { shape: RegExp; words: string; part?: (found: RegExpExecArray) => [number, number] }[] = [
  { shape: /\(\?<?[=!]/, words: LOOK_AROUND },
  { shape: /(?<!\\)\\[1-9]/, words: `backreferences are not supported${PCRE}` },
  {
    shape: /(?<!\\)\{\}/,
    words: 'repetition quantifier expects a valid decimal',
    part: ({ index }) => [index + 1, 1],
  },
  { shape: /(?<=[^\\])\{\d+$/, words: 'unclosed counted repetition' },
  { shape: /^[*+?]|(?<=[(|])[*+]/, words: 'repetition operator missing expression' },
];

/** What ripgrep says of a pattern that it does not take, also where another engine would; `refused` is our word for it. */
export function describeRegexProblem(pattern: string, refused: string | undefined): string | undefined {
  const found = locate(pattern, refused !== undefined);
  if (found === undefined && refused === undefined) return undefined;
  const { from, length, words } = found ?? { from: -3, length: 1, words: refused };
  const marks = ' '.repeat(from + 3) + '^'.repeat(length);
  return `regex parse error:\n    (?:${pattern})\n    ${marks}\nerror: ${words}`;
}

function locate(pattern: string, isRefused: boolean): Problem | undefined {
  // In brackets these are characters like any other.
  const outside = pattern.replace(/(?<!\\)\[\^?\]?(?:\\.|[^\]\\])*\]/g, (brackets) => 'x'.repeat(brackets.length));
  for (const { shape, words, part } of KINDS) {
    const found = shape.exec(outside);
    if (found === null) continue;
    const [from, length] = part?.(found) ?? [found.index, found[0].length];
    return { from, length, words };
  }
  if (!isRefused) return undefined;
  const plain = pattern.replace(/\\./g, '  ');
  const bracket = plain.lastIndexOf('[');
  if (bracket !== -1 && !plain.includes(']', bracket))
    return { from: bracket, length: 1, words: 'unclosed character class' };
  const [opened, closed] = [plain.split('(').length, plain.split(')').length];
  // The group around the pattern takes the last parenthesis.
  if (opened > closed || plain.endsWith('\\')) return { from: -3, length: 1, words: 'unclosed group' };
  if (closed > opened) return { from: pattern.length, length: 1, words: 'unopened group' };
  return undefined;
}
