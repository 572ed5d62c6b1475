import { GEMINI_FLAGS, readWords, UnknownFlag } from '@understudy/agents';
import { defined } from '@understudy/kit';
import { onSides } from '../shared/border.js';
import { REFUSED } from './refused.js';

export const APPROVAL_MODES = ['default', 'auto_edit', 'yolo', 'plan'] as const;
export const FORMATS = ['text', 'json', 'stream-json'] as const;

export type ApprovalMode = (typeof APPROVAL_MODES)[number];
export type OutputFormat = (typeof FORMATS)[number];

/** What Gemini CLI was asked for. */
export interface GeminiOptions {
  /** `-p`, or the words of the command line. */
  prompt?: string;
  /** `-p` was given: no terminal interface. */
  headless: boolean;
  interactivePrompt: boolean;
  format?: OutputFormat;
  mode?: ApprovalMode;
  model?: string;
  /** `latest`, a number or an id. */
  resume?: string;
  sessionId?: string;
  /** Why the stand-in cannot do what is asked for, in a sentence. */
  refused?: string;
  help: boolean;
  version: boolean;
}

export const FLAGS = onSides(GEMINI_FLAGS, {
  ignored: ['skip-trust', 'extensions', 'screen-reader'],
  refused: [
    'debug',
    'prompt-interactive',
    'worktree',
    'sandbox',
    'policy',
    'admin-policy',
    'acp',
    'experimental-acp',
    'allowed-mcp-server-names',
    'allowed-tools',
    'list-extensions',
    'session-file',
    'list-sessions',
    'delete-session',
    'include-directories',
    'raw-output',
    'accept-raw-output-risk',
  ],
});

export const REFUSED_COMMANDS = [
  'mcp',
  'extensions',
  'extension',
  'skills',
  'skill',
  'hooks',
  'hook',
  'gemma',
] as const;

/** A command line that Gemini CLI does not accept, in its own words. Its help page follows. */
export class WrongCommandLine extends Error {}

/** Reads a command line of Gemini CLI. */
export function readArguments(argv: readonly string[]): GeminiOptions {
  const { flags, words } = parse(argv);
  const text = (name: string): string | undefined => {
    const value = flags.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  for (const [name, flag] of Object.entries(FLAGS)) {
    if ((flag.value === 'one' || flag.value === 'each') && flags.get(name) === true)
      throw new WrongCommandLine(
        `Not enough arguments following: ${givenName(argv, name, 'short' in flag ? flag.short : undefined)}`,
      );
  }
  if (text('prompt') !== undefined && words.length > 0)
    throw new WrongCommandLine('Cannot use both a positional prompt and the --prompt (-p) flag together');
  if (flags.has('prompt') && flags.has('prompt-interactive'))
    throw new WrongCommandLine('Cannot use both --prompt (-p) and --prompt-interactive (-i) together');
  if (flags.has('yolo') && flags.has('approval-mode'))
    throw new WrongCommandLine(
      'Cannot use both --yolo (-y) and --approval-mode together. Use --approval-mode=yolo instead.',
    );
  const format = oneOf('output-format', FORMATS, text('output-format'));
  const mode = oneOf('approval-mode', APPROVAL_MODES, text('approval-mode'));
  checkSessionId(text('session-id'));
  return {
    ...defined({
      prompt: text('prompt') ?? (words.length > 0 ? words.join(' ') : undefined),
      model: text('model'),
      resume: flags.get('resume') === true ? 'latest' : text('resume'),
      sessionId: text('session-id')?.trim(),
      format,
      mode: mode ?? (flags.has('yolo') ? 'yolo' : undefined),
      refused: refusalOf(flags, words, mode),
    }),
    headless: flags.has('prompt'),
    interactivePrompt: flags.has('prompt-interactive'),
    help: flags.has('help'),
    version: flags.has('version'),
  };
}

function refusalOf(
  flags: ReadonlyMap<string, string | true>,
  [command = '']: readonly string[],
  mode: ApprovalMode | undefined,
): string | undefined {
  const flag = Object.entries(FLAGS).find(([name, { is }]) => is === 'refused' && flags.has(name));
  if (flag?.[0] === 'prompt-interactive') return REFUSED.terminal;
  if (flag !== undefined) return `${REFUSED.flag} --${flag[0]}`;
  if (REFUSED_COMMANDS.some((name) => name === command)) return `${REFUSED.subcommand} ${command}`;
  return mode === 'plan' ? REFUSED.mode : undefined;
}

function checkSessionId(given: string | undefined): void {
  const id = given?.trim();
  if (id === '') throw new WrongCommandLine('The --session-id option cannot be empty.');
  if (id !== undefined && !/^[\w-]+$/.test(id))
    throw new WrongCommandLine(
      `Invalid session ID "${id}": Only alphanumeric characters, dashes, and underscores are allowed.`,
    );
}

/** The flags, for the help page. */
export function helpPage(): string {
  const lines = Object.entries(FLAGS).map(([name, flag]) => {
    const short = 'short' in flag ? `-${flag.short}, ` : '    ';
    return `  ${short}--${name}${flag.value === 'none' ? '' : ' <value>'}`;
  });
  return `Usage: gemini [options] [query..]\n\nA stand-in that plays a scenario as Gemini CLI\n\nOptions:\n${lines.join('\n')}\n`;
}

function parse(argv: readonly string[]): ReturnType<typeof readWords> {
  try {
    return readWords(argv, FLAGS);
  } catch (error) {
    if (error instanceof UnknownFlag) throw new WrongCommandLine(`Unknown argument: ${error.flag.replace(/^-+/, '')}`);
    throw error;
  }
}

/** A flag as it was given, long or short. */
function givenName(argv: readonly string[], name: string, short: string | undefined): string {
  return argv.includes(`-${short}`) ? (short ?? name) : name;
}

function oneOf<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  given: string | undefined,
): Choice | undefined {
  const chosen = choices.find((choice) => choice === given);
  if (given === undefined || chosen !== undefined) return chosen;
  const offered = choices.map((choice) => `"${choice}"`).join(', ');
  throw new WrongCommandLine(`Invalid values:\n  Argument: ${name}, Given: "${given}", Choices: ${offered}`);
}
