/** A flag of a Codex command. */
export interface Flag {
  short?: string;
  /** Another name, which the help does not show. */
  alias?: string;
  /** The word for its value in messages; a flag without it takes none. */
  value?: string;
  choices?: readonly string[];
  repeated?: true;
}

/** One command of Codex: its flags, and how it is used. */
export interface CommandTable {
  usage: string;
  flags: Readonly<Record<string, Flag>>;
  /** How many words it takes beside the flags. */
  words: number;
  /** Words that start another command. */
  commands?: readonly string[];
}

export interface ParsedCommand {
  /** The values of each flag that was given; an empty text where it takes none. */
  flags: Map<string, string[]>;
  words: string[];
  /** The command within this one, and its arguments. */
  next?: { command: string; argv: string[] };
}

/** A command line that Codex does not accept. The message is Codex's own. */
export class WrongCommandLine extends Error {}

/** Reads a command line as Codex does. */
export function parseCommand(argv: readonly string[], table: CommandTable): ParsedCommand {
  const parsed: ParsedCommand = { flags: new Map(), words: [] };
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      for (const literal of rest.splice(0)) pushWord(parsed, literal, table);
    } else if (/^-./.test(word)) {
      const again = readFlag(word, rest, parsed, table);
      if (again !== undefined) rest.unshift(again);
    } else if (parsed.words.length === 0 && table.commands?.includes(word)) {
      return { ...parsed, next: { command: word, argv: rest } };
    } else {
      pushWord(parsed, word, table);
    }
  }
  return parsed;
}

/** The only value of a flag. */
export function lastValue({ flags }: ParsedCommand, name: string): string | undefined {
  return flags.get(name)?.at(-1);
}

function pushWord(parsed: ParsedCommand, word: string, table: CommandTable): void {
  if (parsed.words.length >= table.words) throw wrong(`unexpected argument '${word}' found`, table.usage);
  parsed.words.push(word);
}

/** Reads one flag. Gives back what is left of several short ones in one word. */
function readFlag(word: string, rest: string[], parsed: ParsedCommand, table: CommandTable): string | undefined {
  const isLong = word.startsWith('--');
  const given = isLong ? (word.split('=')[0] ?? '') : word.slice(0, 2);
  const [name, flag] =
    Object.entries(table.flags).find(([long, { short, alias }]) =>
      [`--${long}`, `--${alias}`, `-${short}`].includes(given),
    ) ?? [];
  if (name === undefined || flag === undefined) {
    const tip = table.words === 0 ? '' : `\n\n  tip: to pass '${given}' as a value, use '-- ${given}'`;
    throw wrong(`unexpected argument '${given}' found${tip}`, table.usage);
  }
  const title = `--${name}${flag.value === undefined ? '' : ` <${flag.value}>`}`;
  if (parsed.flags.has(name) && !flag.repeated)
    throw wrong(`the argument '${title}' cannot be used multiple times`, table.usage);
  const attached = word.slice(given.length);
  if (flag.value === undefined) {
    parsed.flags.set(name, ['']);
    return isLong || attached === '' ? undefined : `-${attached}`;
  }
  const value = attached === '' ? rest.shift() : attached.replace(/^=/, '');
  if (value === undefined) throw wrong(`a value is required for '${title}' but none was supplied`);
  if (flag.choices !== undefined && !flag.choices.includes(value))
    throw wrong(`invalid value '${value}' for '${title}'\n  [possible values: ${flag.choices.join(', ')}]`);
  parsed.flags.set(name, [...(parsed.flags.get(name) ?? []), value]);
  return undefined;
}

/** A command line that is wrong, in the words of Codex's parser. */
function wrong(message: string, usage?: string): WrongCommandLine {
  const lines = usage === undefined ? '' : `Usage: ${usage}\n\n`;
  return new WrongCommandLine(`error: ${message}\n\n${lines}For more information, try '--help'.\n`);
}
