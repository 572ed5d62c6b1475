import { type ParsedWords, RUN_FLAGS, readWords } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { onSides } from '../shared/border.js';
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
export const FLAGS = onSides(RUN_FLAGS, {
  ignored: ['version', 'print-logs', 'log-level', 'pure', 'title', 'password', 'username', 'port', 'variant'],
  refused: ['command', 'fork', 'share', 'file', 'attach', 'interactive', 'mini', 'demo'],
});

/** Flags that the help does not list. */
const HIDDEN_FLAGS: ReadonlySet<string> = new Set(['dangerously-skip-permissions', 'yolo', 'mini', 'demo']);

/** The command line asks for something that OpenCode refuses. */
export class RefusedOption extends Error {}

export function parseRunOptions(argv: readonly string[]): RunOptions {
  const parsed = readWords(argv, FLAGS);
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

function refusalIn(parsed: ParsedWords): string | undefined {
  const isGiven = (name: string): boolean => parsed.flags.has(name) || parsed.lists.has(name);
  const flag = Object.entries(FLAGS).find(([name, { is }]) => is === 'refused' && isGiven(name));
  if (flag !== undefined) return `${REFUSED.flag} --${flag[0]}`;
  const agent = text(parsed, 'agent') ?? 'build';
  return agent === 'build' ? undefined : `${REFUSED.agent} ${agent}`;
}

function readFormat(parsed: ParsedWords): RunOptions['format'] {
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

function text({ flags }: ParsedWords, name: string): string | undefined {
  const value = flags.get(name);
  return typeof value === 'string' ? value : undefined;
}
