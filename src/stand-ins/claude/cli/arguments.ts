import { CliError } from '../../../claude-code/cli-error.js';
import { type Flag, IGNORED_FLAGS, REFUSED_COMMANDS, REFUSED_FLAGS, SUPPORTED_FLAGS } from './flags.js';

/** A command line: the values of each flag, in order, and the other words. */
export interface ParsedArguments {
  positional: string[];
  /** By a flag's first name; a flag without a value has an empty list. */
  flags: Map<string, string[]>;
}

const byName = new Map<string, Flag>();
for (const flag of [...SUPPORTED_FLAGS, ...IGNORED_FLAGS]) for (const name of flag.names) byName.set(name, flag);
const refused = new Set(REFUSED_FLAGS);

/** Reads a command line as the real CLI does, with the same errors. */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  const parsed: ParsedArguments = { positional: [], flags: new Map() };
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
    const { name, inline } = splitInline(word);
    const flag = byName.get(name);
    if (flag === undefined) throw refusal(name);
    at += readValues(flag, inline, argv.slice(at + 1), parsed.flags);
  }
  const [command] = parsed.positional;
  if (command !== undefined && REFUSED_COMMANDS.includes(command)) {
    throw new CliError(`error: the stand-in has no command '${command}'; it only runs sessions`, 2);
  }
  return parsed;
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
  if (flag.choices === undefined || flag.choices.includes(value)) return value;
  throw new CliError(
    `error: option '${describe(flag)}' argument '${value}' is invalid. Allowed choices are ${flag.choices.join(', ')}.`,
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

function refusal(name: string): CliError {
  if (!refused.has(name)) return new CliError(`error: unknown option '${name}'`);
  return new CliError(`error: the stand-in does not support option '${name}' of the real claude`, 2);
}
