import { defined } from '../../document/defined.js';
import { type FlagTable, type ParsedArguments, parseArguments } from '../shared/flags.js';
import { Unsupported } from './refusal.js';

/** The options of `opencode run`. */
export interface RunOptions {
  message: string;
  /** The message as OpenCode writes it down: words with spaces are quoted. */
  quoted: string;
  format: 'default' | 'json';
  continue: boolean;
  session?: string;
  model?: string;
  agent?: string;
  title?: string;
  command?: string;
  dir?: string;
  files: readonly string[];
  thinking: boolean;
  /** What is to be asked is permitted. */
  approvesAll: boolean;
  /** Without plugins. */
  pure: boolean;
  help: boolean;
}

/** The flags of `opencode run`. */
const TABLE = {
  flags: {
    help: { value: 'none', short: 'h' },
    version: { value: 'none', short: 'v' },
    'print-logs': { value: 'none' },
    'log-level': { value: 'one' },
    pure: { value: 'none' },
    command: { value: 'one' },
    continue: { value: 'none', short: 'c' },
    session: { value: 'one', short: 's' },
    fork: { value: 'none' },
    share: { value: 'none' },
    model: { value: 'one', short: 'm' },
    agent: { value: 'one' },
    format: { value: 'one' },
    file: { value: 'many', short: 'f' },
    title: { value: 'optional' },
    attach: { value: 'one' },
    password: { value: 'one', short: 'p' },
    username: { value: 'one', short: 'u' },
    dir: { value: 'one' },
    port: { value: 'one' },
    variant: { value: 'one' },
    thinking: { value: 'none' },
    interactive: { value: 'none', short: 'i' },
    auto: { value: 'none' },
    'dangerously-skip-permissions': { value: 'none' },
    yolo: { value: 'none' },
    mini: { value: 'none' },
    demo: { value: 'none' },
  },
} as const satisfies FlagTable;

/** Flags that the help does not list. */
const HIDDEN_FLAGS: ReadonlySet<string> = new Set(['dangerously-skip-permissions', 'yolo', 'mini', 'demo']);

/** Flags of the real CLI that the stand-in refuses. */
const UNSUPPORTED_FLAGS = ['fork', 'attach', 'interactive', 'share', 'mini', 'demo'] as const;

/** The command line asks for something that OpenCode refuses. */
export class RefusedOption extends Error {}

export function parseRunOptions(argv: readonly string[]): RunOptions {
  const parsed = parseArguments(argv, TABLE);
  for (const flag of UNSUPPORTED_FLAGS) {
    if (parsed.flags.has(flag)) throw new Unsupported(`--${flag}`);
  }
  return defined({
    message: parsed.words.join(' '),
    quoted: parsed.words.map((word) => (word.includes(' ') ? `"${word.replaceAll('"', '\\"')}"` : word)).join(' '),
    format: readFormat(parsed),
    continue: parsed.flags.has('continue'),
    session: text(parsed, 'session'),
    model: text(parsed, 'model'),
    agent: text(parsed, 'agent'),
    title: text(parsed, 'title'),
    command: text(parsed, 'command'),
    dir: text(parsed, 'dir'),
    files: parsed.lists.get('file') ?? [],
    thinking: parsed.flags.has('thinking'),
    approvesAll: ['auto', 'yolo', 'dangerously-skip-permissions'].some((flag) => parsed.flags.has(flag)),
    pure: parsed.flags.has('pure'),
    help: parsed.flags.has('help'),
  });
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
  const shown = Object.entries(TABLE.flags).filter(([name]) => !HIDDEN_FLAGS.has(name));
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
