import { defined } from '../../document/defined.js';
import { type FlagTable, parseArguments, UnknownFlag } from '../shared/flags.js';

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
  /** `--include-directories` */
  folders: readonly string[];
  /** `--allowed-tools` */
  allowedTools: readonly string[];
  /** `--allowed-mcp-server-names` */
  allowedServers?: readonly string[];
  /** Control characters of the model are printed. */
  raw: boolean;
  /** It is said that this is dangerous. */
  rawWarning: boolean;
  listExtensions: boolean;
  help: boolean;
  version: boolean;
}

const TABLE = {
  flags: {
    debug: { value: 'none', short: 'd' },
    model: { value: 'one', short: 'm' },
    prompt: { value: 'one', short: 'p' },
    'prompt-interactive': { value: 'one', short: 'i' },
    'skip-trust': { value: 'none' },
    worktree: { value: 'optional', short: 'w' },
    sandbox: { value: 'none', short: 's' },
    yolo: { value: 'none', short: 'y' },
    'approval-mode': { value: 'one' },
    policy: { value: 'one' },
    'admin-policy': { value: 'one' },
    acp: { value: 'none' },
    'experimental-acp': { value: 'none' },
    'allowed-mcp-server-names': { value: 'each' },
    'allowed-tools': { value: 'each' },
    extensions: { value: 'one', short: 'e' },
    'list-extensions': { value: 'none', short: 'l' },
    resume: { value: 'optional', short: 'r' },
    'session-file': { value: 'one' },
    'session-id': { value: 'one' },
    'list-sessions': { value: 'none' },
    'delete-session': { value: 'one' },
    'include-directories': { value: 'each' },
    'screen-reader': { value: 'none' },
    'output-format': { value: 'one', short: 'o' },
    'raw-output': { value: 'none' },
    'accept-raw-output-risk': { value: 'none' },
    version: { value: 'none', short: 'v' },
    help: { value: 'none', short: 'h' },
  },
} as const satisfies FlagTable;

/** What the real CLI does and the stand-in does not. */
const REFUSED_FLAGS = [
  ...['debug', 'worktree', 'sandbox', 'policy', 'admin-policy', 'acp', 'experimental-acp'],
  ...['session-file', 'list-sessions', 'delete-session'],
];
const LISTS = ['allowed-tools', 'include-directories', 'allowed-mcp-server-names'];
const COMMANDS = ['mcp', 'extensions', 'extension', 'skills', 'skill', 'hooks', 'hook', 'gemma'];

/** A command line that Gemini CLI does not accept, in its own words. Its help page follows. */
export class WrongCommandLine extends Error {}

/** Something that the real CLI does and the stand-in does not. */
export class NotSupported extends Error {}

/** Reads a command line of Gemini CLI. */
export function readArguments(argv: readonly string[]): GeminiOptions {
  const { flags, lists, words } = parse(argv);
  const list = (name: string): string[] =>
    (lists.get(name) ?? [])
      .flatMap((value) => value.split(','))
      .map((value) => value.trim())
      .filter((value) => value !== '');
  const text = (name: string): string | undefined => {
    const value = flags.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  for (const [name, { value, ...flag }] of Object.entries(TABLE.flags)) {
    if ((value === 'one' || value === 'each') && flags.get(name) === true)
      throw new WrongCommandLine(`Not enough arguments following: ${givenName(argv, name, flag)}`);
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
  if (LISTS.some((name) => text(name) === '')) throw new NotSupported('an empty list of folders, tools or servers');
  checkSessionId(text('session-id'));
  const refused = REFUSED_FLAGS.find((flag) => flags.has(flag));
  if (refused !== undefined) throw new NotSupported(`--${refused}`);
  if (words[0] !== undefined && COMMANDS.includes(words[0])) throw new NotSupported(`\`gemini ${words[0]}\``);
  return {
    ...defined({
      prompt: text('prompt') ?? (words.length > 0 ? words.join(' ') : undefined),
      model: text('model'),
      resume: flags.get('resume') === true ? 'latest' : text('resume'),
      sessionId: text('session-id')?.trim(),
      format,
      allowedServers: flags.has('allowed-mcp-server-names') ? list('allowed-mcp-server-names') : undefined,
      mode: mode ?? (flags.has('yolo') ? 'yolo' : undefined),
    }),
    folders: list('include-directories'),
    allowedTools: list('allowed-tools'),
    raw: flags.has('raw-output') || flags.has('accept-raw-output-risk'),
    rawWarning: flags.has('raw-output') && !flags.has('accept-raw-output-risk'),
    listExtensions: flags.has('list-extensions'),
    headless: flags.has('prompt'),
    interactivePrompt: flags.has('prompt-interactive'),
    help: flags.has('help'),
    version: flags.has('version'),
  };
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
  const lines = Object.entries(TABLE.flags).map(([name, flag]) => {
    const short = 'short' in flag ? `-${flag.short}, ` : '    ';
    return `  ${short}--${name}${flag.value === 'none' ? '' : ' <value>'}`;
  });
  return `Usage: gemini [options] [query..]\n\nA stand-in that plays a scenario as Gemini CLI\n\nOptions:\n${lines.join('\n')}\n`;
}

function parse(argv: readonly string[]): ReturnType<typeof parseArguments> {
  try {
    return parseArguments(argv, TABLE);
  } catch (error) {
    if (error instanceof UnknownFlag) throw new WrongCommandLine(`Unknown argument: ${error.flag.replace(/^-+/, '')}`);
    throw error;
  }
}

/** A flag as it was given, long or short. */
function givenName(argv: readonly string[], name: string, { short }: { short?: string }): string {
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

/** What is piped in comes before the prompt. */
export function joinPrompt(prompt: string, piped: string): string {
  if (piped === '' || prompt === '') return piped === '' ? prompt : piped;
  return `${piped}\n\n${prompt}`;
}
