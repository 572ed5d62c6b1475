import { defined } from '@understudy/kit';
import type { Side } from '../shared/border.js';
import { type FlagTable, type ParsedArguments, parseArguments } from '../shared/flags.js';
import { REFUSED } from './refused.js';

/** The options of `opencode run`. */
export interface RunOptions {
  message: string;
  /** The message as OpenCode writes it down: words with spaces are quoted. */
  quoted: string;
  format: 'default' | 'json';
  continue: boolean;
  session?: string;
  model?: string;
  dir?: string;
  thinking: boolean;
  /** What is to be asked is permitted. */
  approvesAll: boolean;
  help: boolean;
  /** Why the stand-in cannot do what is asked for, in a sentence. */
  refused?: string;
}

/** The flags of `opencode run`. */
export const FLAGS = {
  help: { value: 'none', short: 'h', is: 'played' },
  version: { value: 'none', short: 'v', is: 'ignored' },
  'print-logs': { value: 'none', is: 'ignored' },
  'log-level': { value: 'one', is: 'ignored' },
  pure: { value: 'none', is: 'ignored' },
  command: { value: 'one', is: 'refused' },
  continue: { value: 'none', short: 'c', is: 'played' },
  session: { value: 'one', short: 's', is: 'played' },
  fork: { value: 'none', is: 'refused' },
  share: { value: 'none', is: 'refused' },
  model: { value: 'one', short: 'm', is: 'played' },
  agent: { value: 'one', is: 'played' },
  format: { value: 'one', is: 'played' },
  file: { value: 'many', short: 'f', is: 'refused' },
  title: { value: 'optional', is: 'ignored' },
  attach: { value: 'one', is: 'refused' },
  password: { value: 'one', short: 'p', is: 'ignored' },
  username: { value: 'one', short: 'u', is: 'ignored' },
  dir: { value: 'one', is: 'played' },
  port: { value: 'one', is: 'ignored' },
  variant: { value: 'one', is: 'ignored' },
  thinking: { value: 'none', is: 'played' },
  interactive: { value: 'none', short: 'i', is: 'refused' },
  auto: { value: 'none', is: 'played' },
  'dangerously-skip-permissions': { value: 'none', is: 'played' },
  yolo: { value: 'none', is: 'played' },
  mini: { value: 'none', is: 'refused' },
  demo: { value: 'none', is: 'refused' },
} as const satisfies Record<string, FlagTable['flags'][string] & { is: Side }>;

/** Flags that the help does not list. */
const HIDDEN_FLAGS: ReadonlySet<string> = new Set(['dangerously-skip-permissions', 'yolo', 'mini', 'demo']);

/** The command line asks for something that OpenCode refuses. */
export class RefusedOption extends Error {}

export function parseRunOptions(argv: readonly string[]): RunOptions {
  const parsed = parseArguments(argv, { flags: FLAGS });
  return defined({
    message: parsed.words.join(' '),
    quoted: parsed.words.map((word) => (word.includes(' ') ? `"${word.replaceAll('"', '\\"')}"` : word)).join(' '),
    format: readFormat(parsed),
    continue: parsed.flags.has('continue'),
    session: text(parsed, 'session'),
    model: text(parsed, 'model'),
    dir: text(parsed, 'dir'),
    thinking: parsed.flags.has('thinking'),
    approvesAll: ['auto', 'yolo', 'dangerously-skip-permissions'].some((flag) => parsed.flags.has(flag)),
    help: parsed.flags.has('help'),
    refused: refusalIn(parsed),
  });
}

function refusalIn(parsed: ParsedArguments): string | undefined {
  const isGiven = (name: string): boolean => parsed.flags.has(name) || parsed.lists.has(name);
  const flag = Object.entries(FLAGS).find(([name, { is }]) => is === 'refused' && isGiven(name));
  if (flag !== undefined) return `${REFUSED.flag} --${flag[0]}`;
  const agent = text(parsed, 'agent') ?? 'build';
  return agent === 'build' ? undefined : `${REFUSED.agent} ${agent}`;
}

/** The message of a run: the words, what is piped in, or both. */
export function joinMessage({ message }: Pick<RunOptions, 'message'>, piped: string): string {
  return [message, piped].filter((part) => part !== '').join('\n');
}

function readFormat(parsed: ParsedArguments): RunOptions['format'] {
  const format = text(parsed, 'format') ?? 'default';
  if (format === 'default' || format === 'json') return format;
  throw new RefusedOption(`Invalid values:\n  Argument: format, Given: "${format}", Choices: "default", "json"`);
}

/** The flags, for the help page. */
export function helpPage(): string {
  const shown = Object.entries(FLAGS).filter(([name]) => !HIDDEN_FLAGS.has(name));
  const lines = shown.map(([name, flag]) => {
    const short = 'short' in flag ? `-${flag.short}, ` : '    ';
    return `  ${short}--${name}${flag.value === 'none' ? '' : ' <value>'}`;
  });
  return `opencode run [message..]\n\nrun opencode with a message (a stand-in that plays a scenario)\n\nOptions:\n${lines.join('\n')}\n`;
}

function text({ flags }: ParsedArguments, name: string): string | undefined {
  const value = flags.get(name);
  return typeof value === 'string' ? value : undefined;
}
