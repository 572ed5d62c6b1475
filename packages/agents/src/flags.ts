/** The flags of a command line, and whether each takes a value. */
export type FlagTable = Readonly<
  Record<string, { value: 'none' | 'one' | 'each' | 'optional' | 'many'; short?: string }>
>;

export interface ParsedWords {
  flags: Map<string, string | true>;
  /** The values of flags that take `many` (all words up to the next flag), or one `each` time that they are given. */
  lists: Map<string, string[]>;
  words: string[];
}

/** The command line has a flag that does not exist. */
export class UnknownFlag extends Error {
  readonly flag: string;

  constructor(flag: string) {
    super(`unknown flag ${flag}`);
    this.flag = flag;
  }
}

/** Reads a command line: `--name value`, `--name=value`, `-n value`, `--` ends the flags. */
export function readWords(argv: readonly string[], flags: FlagTable): ParsedWords {
  const parsed: ParsedWords = { flags: new Map(), lists: new Map(), words: [] };
  const shorts = new Map(
    Object.entries(flags).flatMap(([name, { short }]) => (short === undefined ? [] : [[short, name]])),
  );
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') {
      parsed.words.push(...argv.slice(index + 1));
      break;
    }
    if (!/^-./.test(word)) {
      parsed.words.push(word);
      continue;
    }
    const [given = '', ...rest] = word.split('=');
    const name = given.startsWith('--') ? given.slice(2) : shorts.get(given.slice(1));
    const flag = name === undefined ? undefined : flags[name];
    if (name === undefined || flag === undefined) throw new UnknownFlag(given);
    const next = argv[index + 1];
    if (flag.value === 'many') {
      const end = argv.findIndex((other, at) => at > index && other.startsWith('-'));
      const more = rest.length > 0 ? [rest.join('=')] : argv.slice(index + 1, end === -1 ? undefined : end);
      parsed.lists.set(name, [...(parsed.lists.get(name) ?? []), ...more]);
      if (rest.length === 0) index += more.length;
    } else if (flag.value === 'none') parsed.flags.set(name, true);
    else if (rest.length > 0) parsed.flags.set(name, rest.join('='));
    else if (next !== undefined && (flag.value !== 'optional' || !next.startsWith('-'))) {
      parsed.flags.set(name, next);
      index++;
    } else parsed.flags.set(name, true);
    const value = parsed.flags.get(name);
    if (flag.value === 'each' && typeof value === 'string')
      parsed.lists.set(name, [...(parsed.lists.get(name) ?? []), value]);
  }
  return parsed;
}
