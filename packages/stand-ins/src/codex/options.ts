import {
  CODEX,
  type CodexFlag,
  type CommandTable,
  EXEC,
  lastValue,
  type ParsedCommand,
  parseCommand,
  RESUME,
  resumeWords,
} from '@understudy/agents';
import { defined } from '@understudy/kit';
import { onSides, type Side } from '../shared/border.js';
import { REFUSED } from './refused.js';

/** What a `codex exec` was asked for. */
export interface ExecOptions {
  prompt?: string;
  json: boolean;
  cd?: string;
  model?: string;
  /** What a flag says; otherwise it is a question of the settings. */
  sandbox?: string;
  approval: string;
  /** What `-c` says, in order. */
  overrides: readonly string[];
  ignoresUserConfig: boolean;
  lastMessageFile?: string;
  schemaFile?: string;
  skipGitCheck: boolean;
  ephemeral: boolean;
  /** `exec resume`. */
  resume?: { id?: string; last: boolean; all: boolean };
  /** Why the stand-in cannot do what is asked for, in a sentence. */
  refused?: string;
}

export type CodexRequest =
  | { kind: 'exec'; options: ExecOptions }
  | { kind: 'version'; program: string }
  /** The terminal interface. */
  | { kind: 'interactive' }
  | { kind: 'login status' }
  | { kind: 'help'; page: string; isError?: true }
  | { kind: 'refused'; what: string };

/** All flags, by their names. */
export const FLAGS: Readonly<Record<string, CodexFlag & { is: Side }>> = onSides(
  { ...CODEX.flags, ...EXEC.flags, ...RESUME.flags },
  {
    ignored: [
      'enable',
      'disable',
      'strict-config',
      'dangerously-bypass-hook-trust',
      'add-dir',
      'thread-source',
      'ignore-rules',
      'ask-for-approval',
      'search',
      'no-alt-screen',
      'no-daemon',
    ],
    refused: [
      'image',
      'worktree',
      'oss',
      'local-provider',
      'profile',
      'cyber-access-program',
      'remote',
      'remote-auth-token-env',
    ],
  },
);

/** Commands that the stand-in plays. */
export const PLAYED_COMMANDS = ['exec', 'e', 'exec resume', 'login status', 'help'];
export const REFUSED_COMMANDS = [
  ...(CODEX.commands ?? []).filter((name) => !['exec', 'e', 'login', 'help'].includes(name)),
  'login',
  'exec fork',
  'exec review',
];

/** Reads a command line of Codex. */
export function readArguments(argv: readonly string[]): CodexRequest {
  const top = parseCommand(argv, CODEX);
  if (top.next === undefined) {
    if (top.flags.has('version')) return { kind: 'version', program: 'codex-cli' };
    return top.flags.has('help') ? { kind: 'help', page: helpPage(CODEX) } : { kind: 'interactive' };
  }
  const { command, argv: rest } = top.next;
  if (command === 'help') return { kind: 'help', page: helpPage(rest[0] === 'exec' ? EXEC : CODEX) };
  if (command === 'login' && rest.join(' ') === 'status') return { kind: 'login status' };
  if (command !== 'exec' && command !== 'e') return { kind: 'refused', what: `${REFUSED.command} ${command}` };
  const exec = parseCommand(rest, EXEC);
  if (exec.next === undefined) {
    if (exec.flags.has('help')) return { kind: 'help', page: helpPage(EXEC) };
    if (exec.flags.has('version')) return { kind: 'version', program: 'codex-cli-exec' };
    return { kind: 'exec', options: execOptions([top, exec], exec.words[0]) };
  }
  if (exec.next.command === 'help') return { kind: 'help', page: helpPage(EXEC) };
  if (exec.next.command !== 'resume') return { kind: 'refused', what: `${REFUSED.command} exec ${exec.next.command}` };
  const resumed = parseCommand(exec.next.argv, RESUME);
  if (resumed.flags.has('help')) return { kind: 'help', page: helpPage(RESUME) };
  const { id, prompt } = resumeWords(resumed);
  const resume = { ...defined({ id }), last: resumed.flags.has('last'), all: resumed.flags.has('all') };
  return { kind: 'exec', options: { ...execOptions([top, exec, resumed], prompt), resume } };
}

/** The options of a run. What an inner command says comes before what an outer one says. */
function execOptions(levels: readonly ParsedCommand[], prompt: string | undefined): ExecOptions {
  const has = (name: string): boolean => levels.some(({ flags }) => flags.has(name));
  const value = (name: string): string | undefined =>
    levels.map((level) => lastValue(level, name)).findLast((given) => given !== undefined);
  const refused = Object.entries(FLAGS).find(([name, { is }]) => is === 'refused' && has(name));
  const colors = value('color') === 'always' ? REFUSED.colors : undefined;
  const bypass = has('dangerously-bypass-approvals-and-sandbox');
  const forMe = has('approve-for-me');
  return {
    ...defined({
      prompt,
      cd: value('cd'),
      model: value('model'),
      sandbox: bypass ? 'danger-full-access' : forMe ? 'workspace-write' : value('sandbox'),
      lastMessageFile: value('output-last-message'),
      schemaFile: value('output-schema'),
      refused: refused !== undefined ? `${REFUSED.flag} --${refused[0]}` : colors,
    }),
    json: has('json'),
    // Nobody can be asked, whatever the settings say.
    approval: forMe && !bypass ? 'on-request' : 'never',
    overrides: levels.flatMap(({ flags }) => flags.get('config') ?? []),
    ignoresUserConfig: has('ignore-user-config'),
    skipGitCheck: bypass || has('skip-git-repo-check'),
    ephemeral: has('ephemeral'),
  };
}

/** The flags of a command. */
function helpPage({ usage, flags, commands }: CommandTable): string {
  const lines = Object.entries(flags).map(([name, { short, value }]) => {
    const before = short === undefined ? '    ' : `-${short}, `;
    return `  ${before}--${name}${value === undefined ? '' : ` <${value}>`}`;
  });
  const below = commands === undefined ? '' : `\nCommands: ${commands.join(', ')}\n`;
  return `A stand-in that plays a scenario as Codex\n\nUsage: ${usage}\n${below}\nOptions:\n${lines.join('\n')}\n`;
}
