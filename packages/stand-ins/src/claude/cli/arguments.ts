import { CliError } from '@understudy/agents';
import { type Flag, IGNORED_FLAGS, REFUSED_COMMANDS, REFUSED_FLAGS, SUPPORTED_FLAGS } from './flags.js';

/** A command line: the values of each flag, in order, and the other words. */
export interface ParsedArguments {
  positional: string[];
  /** By a flag's first name; a flag without a value has an empty list. */
  flags: Map<string, string[]>;
}

const byName: ReadonlyMap<string, Flag> = new Map(
  [...SUPPORTED_FLAGS, ...IGNORED_FLAGS].flatMap((flag) => flag.names.map((name) => [name, flag] as const)),
);
const refused = new Set(REFUSED_FLAGS);

/** Reads a command line as the real CLI does, with the same errors. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  // What follows a command has flags of its own.
  const [first = '', ...rest] = argv;
  const own = rest.slice(0, [...rest, '--'].indexOf('--'));
  const isPrompt = own.some((word) => word === '-p' || word === '--print');
  if (!isPrompt && REFUSED_COMMANDS.includes(first)) throw refusedCommand(argv);
  const parsed = parseWords(argv);
  const [command = ''] = parsed.positional;
  if (!parsed.flags.has('--print') && REFUSED_COMMANDS.includes(command)) throw refusedCommand(parsed.positional);
  return parsed;
}

/** Names the command with what belongs to its name: `mcp add`. */
function refusedCommand(words: readonly string[]): NotSupported {
  const [command, behind = ''] = words;
  const name = /^[a-z][a-z-]*$/.test(behind) ? `${command} ${behind}` : command;
  return new NotSupported(`error: the stand-in has no command '${name}'; it only runs sessions`);
}

function parseWords(argv: readonly string[]): ParsedArguments {
  const parsed: ParsedArguments = { positional: [], flags: new Map() };
  // What is wrong with a value is said first, and help is given in any case.
  let unknown: UnknownOption | undefined;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      parsed.positional.push(...argv.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      parsed.positional.push(word);
      continue;
    }
    try {
      at += readWord(word, argv.slice(at + 1), parsed.flags);
    } catch (error) {
      if (!(error instanceof UnknownOption)) throw error;
      unknown ??= error;
    }
  }
  if (unknown !== undefined && !parsed.flags.has('--help') && !parsed.flags.has('--version')) throw unknown;
  return parsed;
}

/** Reads a flag, or several short ones in one word. Gives the number of words after it that were used. */
function readWord(word: string, rest: readonly string[], into: Map<string, string[]>): number {
  const { name, inline } = splitInline(word);
  const flag = byName.get(name);
  if (flag !== undefined && (inline === undefined || flag.kind !== 'none')) return readValues(flag, inline, rest, into);
  const short = word.startsWith('--') ? undefined : byName.get(word.slice(0, 2));
  // Help is not combined with other short flags.
  if (short === undefined || word.length <= 2 || word.startsWith('-h')) throw refusal(word, name);
  if (short.kind !== 'none') return readValues(short, word.slice(2), rest, into);
  readValues(short, undefined, rest, into);
  return readWord(`-${word.slice(2)}`, rest, into);
}

/** Stores the values of a flag. Gives the number of words that were used. */
function readValues(
  flag: Flag,
  inline: string | undefined,
  rest: readonly string[],
  into: Map<string, string[]>,
): number {
  const [key = ''] = flag.names;
  const values = into.get(key) ?? [];
  into.set(key, values);
  if (flag.kind === 'none') return 0;
  if (inline !== undefined) {
    values.push(checked(flag, inline));
    return 0;
  }
  const [next] = rest;
  const hasNext = next !== undefined && (flag.kind === 'one' || next === '' || !next.startsWith('-'));
  if (!hasNext) {
    if (flag.kind === 'optional') return 0;
    throw new CliError(`error: option '${describe(flag)}' argument missing`);
  }
  if (flag.kind !== 'many') {
    values.push(checked(flag, next));
    return 1;
  }
  let taken = 0;
  for (const value of rest) {
    if (value.startsWith('-')) break;
    values.push(checked(flag, value));
    taken++;
  }
  return taken;
}

function checked(flag: Flag, value: string): string {
  const problem = flag.problem?.(value);
  if (problem !== undefined)
    throw new CliError(`error: option '${describe(flag)}' argument '${value}' is invalid. ${problem}`);
  const { choices, unlisted = [] } = flag;
  if (choices === undefined || choices.includes(value) || unlisted.includes(value)) return value;
  throw new CliError(
    `error: option '${describe(flag)}' argument '${value}' is invalid. Allowed choices are ${choices.join(', ')}.`,
  );
}

/** `-p, --print` as the real CLI names a flag in its errors: the short name first. */
function describe(flag: Flag): string {
  const names = [...flag.names].sort((a, b) => Number(a.startsWith('--')) - Number(b.startsWith('--')));
  return `${names.join(', ')}${flag.label === undefined ? '' : ` ${flag.label}`}`;
}

function splitInline(word: string): { name: string; inline?: string } {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals === -1 ? { name: word } : { name: word.slice(0, equals), inline: word.slice(equals + 1) };
}

class UnknownOption extends CliError {}

/** The real CLI can do it. */
export class NotSupported extends UnknownOption {
  constructor(message: string) {
    super(message, 2);
  }
}

function refusal(word: string, name: string): UnknownOption {
  if (refused.has(name))
    return new NotSupported(`error: the stand-in does not support option '${name}' of the real claude`);
  return new UnknownOption(`error: unknown option '${byName.has(name) ? word : name}'`);
}
