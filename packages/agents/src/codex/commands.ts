import { type CommandTable, type ParsedCommand, parseCommand } from './command-line.js';

const SANDBOX = { short: 's', value: 'SANDBOX_MODE', choices: ['read-only', 'workspace-write', 'danger-full-access'] };

/** Flags that all commands have. */
const COMMON = {
  config: { short: 'c', value: 'key=value', repeated: true },
  enable: { value: 'FEATURE', repeated: true },
  disable: { value: 'FEATURE', repeated: true },
  'strict-config': {},
  image: { short: 'i', value: 'FILE', repeated: true },
  model: { short: 'm', value: 'MODEL' },
  'dangerously-bypass-approvals-and-sandbox': { alias: 'yolo' },
  'dangerously-bypass-hook-trust': {},
  worktree: {},
  help: { short: 'h' },
} as const satisfies CommandTable['flags'];

/** Flags of `codex` and of `codex exec`, but not of `codex exec resume`. */
const PLACES = {
  oss: {},
  'local-provider': { value: 'OSS_PROVIDER' },
  profile: { short: 'p', value: 'CONFIG_PROFILE_V2' },
  sandbox: SANDBOX,
  'approve-for-me': {},
  cd: { short: 'C', value: 'DIR' },
  'add-dir': { value: 'DIR', repeated: true },
  version: { short: 'V' },
} as const satisfies CommandTable['flags'];

/** Flags of `codex exec` and of `codex exec resume`. */
const RUNS = {
  'thread-source': { value: 'SOURCE' },
  'cyber-access-program': { value: 'PROGRAM', choices: ['standard', 'daybreak_blue', 'daybreak_red'] },
  'skip-git-repo-check': {},
  ephemeral: {},
  'ignore-user-config': {},
  'ignore-rules': {},
  'output-schema': { value: 'FILE' },
  json: { alias: 'experimental-json' },
  'output-last-message': { short: 'o', value: 'FILE' },
} as const satisfies CommandTable['flags'];

export const CODEX: CommandTable = {
  usage: 'codex [OPTIONS] [PROMPT]\n       codex [OPTIONS] <COMMAND> [ARGS]',
  flags: {
    ...COMMON,
    ...PLACES,
    remote: { value: 'ADDR' },
    'remote-auth-token-env': { value: 'ENV_VAR' },
    'ask-for-approval': { short: 'a', value: 'APPROVAL_POLICY', choices: ['on-request', 'never'] },
    search: {},
    'no-alt-screen': {},
    'no-daemon': {},
  },
  words: 1,
  commands:
    'agents exec e review login logout mcp plugin app-server remote-control completion update doctor sandbox debug apply a resume queue archive delete migrate-rollouts migrate-nfs-db unarchive fork cloud exec-server features help'.split(
      ' ',
    ),
};

export const EXEC: CommandTable = {
  usage: 'codex exec [OPTIONS] [PROMPT]\n       codex exec [OPTIONS] <COMMAND> [ARGS]',
  flags: { ...COMMON, ...PLACES, ...RUNS, color: { value: 'COLOR', choices: ['always', 'never', 'auto'] } },
  words: 1,
  commands: ['resume', 'fork', 'review', 'help'],
};

export const RESUME: CommandTable = {
  usage: 'codex exec resume [OPTIONS] [SESSION_ID] [PROMPT]',
  flags: { ...COMMON, ...RUNS, last: {}, all: {} },
  words: 2,
};

/** What `codex exec resume` is asked for. With --last there is no id, so that a single word is the prompt. */
export function resumeWords({ words, flags }: ParsedCommand): { id?: string | undefined; prompt?: string | undefined } {
  const last = flags.has('last');
  const [id, prompt] = last && words.length < 2 ? [undefined, words[0]] : words;
  return { id: last ? undefined : id, prompt };
}

/** A prompt of the command line, with what is piped in behind it. */
export function joinPrompt(prompt: string, piped: string): string {
  return piped.trim() === '' ? prompt : `${prompt}\n\n<stdin>\n${piped.replace(/\n$/, '')}\n</stdin>`;
}

export function promptOf(words: readonly string[], stdin: string): string {
  const { next: top } = parseCommand(words, CODEX);
  if (top?.command === 'review') return reviewHint(top.argv, stdin);
  if (top?.command !== 'exec' && top?.command !== 'e') return '';
  const { words: own, next } = parseCommand(top.argv, EXEC);
  if (next?.command === 'review') return reviewHint(next.argv, stdin);
  if (next !== undefined && next.command !== 'resume') return '';
  const prompt = next === undefined ? own[0] : resumeWords(parseCommand(next.argv, RESUME)).prompt;
  if (prompt === undefined || prompt === '-') return stdin;
  return next === undefined ? joinPrompt(prompt, stdin) : prompt;
}

/** What `codex review` shows in place of a prompt. */
function reviewHint(words: readonly string[], stdin: string): string {
  const after = (flag: string): string | undefined => words[words.indexOf(flag) + 1 || words.length];
  const [branch, commit, title] = ['--base', '--commit', '--title'].map(after);
  if (words.includes('--uncommitted')) return 'current changes';
  if (branch !== undefined) return `changes against '${branch}'`;
  if (commit !== undefined) return `commit ${commit}${title === undefined ? '' : `: ${title}`}`;
  const instructions = words.findLast((word) => !word.startsWith('--')) ?? '';
  return instructions === '-' ? stdin : instructions;
}
