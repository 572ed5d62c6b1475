import { CliError } from '../facts/cli-error.js';
import type { Flag } from './flags.js';

/** A command line: the values of each flag, in order, and the other words. */
export interface ParsedArguments {
  positional: string[];
  /** By a flag's first name; a flag without a value has an empty list. */
  flags: Map<string, string[]>;
}

/** The flags that there are, and why another one is refused. */
interface Known {
  flags: ReadonlyMap<string, Flag>;
  refuse(name: string): UnknownOption | undefined;
}

/** Reads command lines as the CLI does, with the same errors. */
export function argumentReader(
  flags: readonly Flag[],
  refuse: Known['refuse'] = () => undefined,
): (argv: readonly string[]) => ParsedArguments {
  const known = { refuse, flags: new Map(flags.flatMap((flag) => flag.names.map((name) => [name, flag] as const))) };
  return (argv) => parseWords(argv, known);
}

function parseWords(argv: readonly string[], known: Known): ParsedArguments {
  const parsed: ParsedArguments = { positional: [], flags: new Map() };
  // A wrong value is reported first, and help is given in any case.
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
      at += readWord(word, argv.slice(at + 1), parsed.flags, known);
    } catch (error) {
      if (!(error instanceof UnknownOption)) throw error;
      unknown ??= error;
    }
  }
  if (unknown !== undefined && !parsed.flags.has('--help') && !parsed.flags.has('--version')) throw unknown;
  return parsed;
}

/** Reads a flag, or several short ones in one word. Gives the number of words after it that were used. */
function readWord(word: string, rest: readonly string[], into: Map<string, string[]>, known: Known): number {
  const { name, inline } = splitInline(word);
  const flag = known.flags.get(name);
  if (flag !== undefined && (inline === undefined || flag.kind !== 'none')) return readValues(flag, inline, rest, into);
  const short = word.startsWith('--') ? undefined : known.flags.get(word.slice(0, 2));
  // Help is not combined with other short flags.
  if (short === undefined || word.length <= 2 || word.startsWith('-h'))
    throw known.refuse(name) ?? new UnknownOption(`error: unknown option '${known.flags.has(name) ? word : name}'`);
  if (short.kind !== 'none') return readValues(short, word.slice(2), rest, into);
  readValues(short, undefined, rest, into);
  return readWord(`-${word.slice(2)}`, rest, into, known);
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

/** The CLI has no such flag. */
export class UnknownOption extends CliError {}
