import { defined } from '../../document/defined.js';
import { type CommandTable, lastValue, type ParsedCommand, parseCommand, wrong } from './command-line.js';
import { type McpAsked, readMcpArguments } from './mcp/options.js';
import { Refusal } from './refusal.js';
import type { ReviewTarget } from './review.js';

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
  profile?: string;
  ignoresUserConfig: boolean;
  lastMessageFile?: string;
  schemaFile?: string;
  skipGitCheck: boolean;
  ephemeral: boolean;
  /** Codex itself looks whether stderr is a terminal; ours is plain unless somebody asks for colors. */
  color?: string;
  /** `exec resume`. */
  resume?: { id?: string; last: boolean; all: boolean };
  /** `exec review`, `review`. */
  review?: ReviewTarget;
}

export type Asked =
  | { kind: 'exec'; options: ExecOptions }
  | { kind: 'version'; program: string }
  /** The terminal interface. */
  | { kind: 'interactive' }
  | { kind: 'login status' }
  | (McpAsked & { profile?: string });

function wrongProfile(name: string): string | undefined {
  return /^[\w-]+$/.test(name) ? undefined : `invalid --profile value \`${name}\`; pass a plain name such as \`work\``;
}

const SANDBOX = { short: 's', value: 'SANDBOX_MODE', choices: ['read-only', 'workspace-write', 'danger-full-access'] };

/** Flags that all commands have. */
const COMMON: CommandTable['flags'] = {
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
};

/** Flags of `codex` and of `codex exec`, but not of `codex exec resume`. */
const PLACES: CommandTable['flags'] = {
  oss: {},
  'local-provider': { value: 'OSS_PROVIDER' },
  profile: { short: 'p', value: 'CONFIG_PROFILE_V2', problem: wrongProfile },
  sandbox: SANDBOX,
  'approve-for-me': {},
  cd: { short: 'C', value: 'DIR' },
  'add-dir': { value: 'DIR', repeated: true },
  version: { short: 'V' },
};

/** Flags of `codex exec` and of `codex exec resume`. */
const RUNS: CommandTable['flags'] = {
  'thread-source': { value: 'SOURCE' },
  'cyber-access-program': { value: 'PROGRAM', choices: ['standard', 'daybreak_blue', 'daybreak_red'] },
  'skip-git-repo-check': {},
  ephemeral: {},
  'ignore-user-config': {},
  'ignore-rules': {},
  'output-schema': { value: 'FILE' },
  json: { alias: 'experimental-json' },
  'output-last-message': { short: 'o', value: 'FILE' },
};

const CODEX: CommandTable = {
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

const EXEC: CommandTable = {
  usage: 'codex exec [OPTIONS] [PROMPT]\n       codex exec [OPTIONS] <COMMAND> [ARGS]',
  flags: { ...COMMON, ...PLACES, ...RUNS, color: { value: 'COLOR', choices: ['always', 'never', 'auto'] } },
  words: 1,
  commands: ['resume', 'fork', 'review', 'help'],
};

const RESUME: CommandTable = {
  usage: 'codex exec resume [OPTIONS] [SESSION_ID] [PROMPT]',
  flags: { ...COMMON, ...RUNS, last: {}, all: {} },
  words: 2,
};

/** What a review is about. Only one of them can be given, or a prompt. */
const TARGETS: CommandTable['flags'] = {
  uncommitted: {},
  base: { value: 'BRANCH' },
  commit: { value: 'SHA' },
};

const EXEC_REVIEW: CommandTable = {
  usage: 'codex exec review [OPTIONS] [PROMPT]',
  flags: { ...COMMON, ...RUNS, ...TARGETS, title: { value: 'TITLE' } },
  words: 1,
};

const REVIEW: CommandTable = {
  usage: 'codex review [OPTIONS] [PROMPT]',
  flags: {
    ...Object.fromEntries(
      Object.entries(COMMON).filter(([name]) =>
        ['config', 'enable', 'disable', 'strict-config', 'help'].includes(name),
      ),
    ),
    ...TARGETS,
    title: { value: 'TITLE' },
  },
  words: 1,
};

/** What the stand-in does not do. */
const REFUSED_FLAGS = ['oss', 'local-provider', 'image', 'worktree', 'cyber-access-program', 'remote'];

/** Reads a command line of Codex. */
export function readArguments(argv: readonly string[]): Asked {
  const top = parseCommand(argv, CODEX);
  if (top.next === undefined) {
    if (top.flags.has('version')) return { kind: 'version', program: 'codex-cli' };
    return top.flags.has('help') ? { kind: 'help', page: helpPage(CODEX) } : { kind: 'interactive' };
  }
  const { command, argv: rest } = top.next;
  if (command === 'help') return { kind: 'help', page: helpPage(rest[0] === 'exec' ? EXEC : CODEX) };
  if (command === 'login' && rest.join(' ') === 'status') return { kind: 'login status' };
  if (command === 'mcp') {
    const asked = readMcpArguments(rest, helpPage);
    if (asked.kind !== 'mcp') return asked;
    const overrides = [...(top.flags.get('config') ?? []), ...asked.overrides];
    return { ...asked, overrides, ...defined({ profile: lastValue(top, 'profile') }) };
  }
  if (command === 'review') return reviewOptions([top], rest, REVIEW);
  if (command !== 'exec' && command !== 'e') return { kind: 'refused', what: `\`codex ${command}\`` };
  const exec = parseCommand(rest, EXEC);
  if (exec.next === undefined) {
    if (exec.flags.has('help')) return { kind: 'help', page: helpPage(EXEC) };
    if (exec.flags.has('version')) return { kind: 'version', program: 'codex-cli-exec' };
    return execOptions([top, exec], exec.words[0]);
  }
  if (exec.next.command === 'help') return { kind: 'help', page: helpPage(EXEC) };
  if (exec.next.command === 'review') return reviewOptions([top, exec], exec.next.argv, EXEC_REVIEW);
  if (exec.next.command !== 'resume') return { kind: 'refused', what: `\`codex exec ${exec.next.command}\`` };
  const resumed = parseCommand(exec.next.argv, RESUME);
  if (resumed.flags.has('help')) return { kind: 'help', page: helpPage(RESUME) };
  const last = resumed.flags.has('last');
  // With --last there is no id, so that a single word is the prompt.
  const [id, prompt] = last && resumed.words.length < 2 ? [undefined, resumed.words[0]] : resumed.words;
  const asked = execOptions([top, exec, resumed], prompt);
  if (asked.kind !== 'exec') return asked;
  const resume = { ...defined({ id: last ? undefined : id }), last, all: resumed.flags.has('all') };
  return { kind: 'exec', options: { ...asked.options, resume } };
}

function reviewOptions(outer: readonly ParsedCommand[], argv: readonly string[], table: CommandTable): Asked {
  const parsed = parseCommand(argv, table);
  if (parsed.flags.has('help')) return { kind: 'help', page: helpPage(table) };
  const [instructions] = parsed.words;
  const given = [...parsed.flags.keys()]
    .filter((name) => name in TARGETS)
    .map((name) => `--${name}${TARGETS[name]?.value === undefined ? '' : ` <${TARGETS[name].value}>`}`);
  const [first, ...others] = instructions === undefined ? given : [...given, '[PROMPT]'];
  if (others.length > 0) {
    const rest = others.length === 1 ? ` '${others[0]}'` : `:${others.map((other) => `\n  ${other}`).join('')}`;
    throw wrong(`the argument '${first}' cannot be used with${rest}`, table.usage.replace('[OPTIONS]', String(first)));
  }
  const [branch, sha, title] = ['base', 'commit', 'title'].map((name) => lastValue(parsed, name));
  const asked = execOptions([...outer, parsed], undefined);
  if (asked.kind !== 'exec') return asked;
  const review: ReviewTarget | undefined =
    instructions !== undefined
      ? { kind: 'custom', instructions }
      : branch !== undefined
        ? { kind: 'base', branch }
        : sha !== undefined
          ? { kind: 'commit', sha, ...defined({ title }) }
          : parsed.flags.has('uncommitted')
            ? { kind: 'uncommitted' }
            : undefined;
  if (review === undefined)
    throw new Refusal('Error: Specify --uncommitted, --base, --commit, or provide custom review instructions');
  return { kind: 'exec', options: { ...asked.options, review } };
}

/** The options of a run. What an inner command says comes before what an outer one says. */
function execOptions(levels: readonly ParsedCommand[], prompt: string | undefined): Asked {
  const has = (name: string): boolean => levels.some(({ flags }) => flags.has(name));
  const value = (name: string): string | undefined =>
    levels.map((level) => lastValue(level, name)).findLast((given) => given !== undefined);
  const refused = REFUSED_FLAGS.find(has);
  if (refused !== undefined) return { kind: 'refused', what: `--${refused}` };
  const bypass = has('dangerously-bypass-approvals-and-sandbox');
  const forMe = has('approve-for-me');
  return {
    kind: 'exec',
    options: {
      ...defined({
        prompt,
        cd: value('cd'),
        model: value('model'),
        sandbox: bypass ? 'danger-full-access' : forMe ? 'workspace-write' : value('sandbox'),
        profile: value('profile'),
        lastMessageFile: value('output-last-message'),
        schemaFile: value('output-schema'),
        color: value('color'),
      }),
      json: has('json'),
      // Nobody can be asked, whatever the settings say.
      approval: forMe && !bypass ? 'on-request' : 'never',
      overrides: levels.flatMap(({ flags }) => flags.get('config') ?? []),
      ignoresUserConfig: has('ignore-user-config'),
      skipGitCheck: bypass || has('skip-git-repo-check'),
      ephemeral: has('ephemeral'),
    },
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
