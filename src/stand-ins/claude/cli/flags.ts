/** What follows a flag: nothing, one value, all words up to the next flag, or one optional value. */
type ValueKind = 'none' | 'one' | 'many' | 'optional';

export interface Flag {
  names: readonly string[];
  kind: ValueKind;
  /** What its value is called in an error, `<format>`. */
  label?: string;
  choices?: readonly string[];
}

const none = (...names: string[]): Flag => ({ names, kind: 'none' });
const one = (label: string, ...names: string[]): Flag => ({ names, kind: 'one', label: `<${label}>` });
const many = (label: string, ...names: string[]): Flag => ({ names, kind: 'many', label: `<${label}...>` });
const optional = (label: string, ...names: string[]): Flag => ({ names, kind: 'optional', label: `[${label}]` });
const choice = (label: string, choices: readonly string[], ...names: string[]): Flag => ({
  ...one(label, ...names),
  choices,
});

const PERMISSION_MODE_CHOICES = ['acceptEdits', 'auto', 'bypassPermissions', 'manual', 'dontAsk', 'plan'] as const;

/** Flags that the stand-in supports. The parsed value is stored under the first name. */
export const SUPPORTED_FLAGS: readonly Flag[] = [
  none('--print', '-p'),
  none('--help', '-h'),
  none('--version', '-v'),
  none('--verbose'),
  one('model', '--model'),
  one('model', '--fallback-model'),
  choice('format', ['text', 'json', 'stream-json'], '--output-format'),
  choice('format', ['text', 'stream-json'], '--input-format'),
  none('--include-partial-messages'),
  none('--include-hook-events'),
  none('--replay-user-messages'),
  none('--forward-subagent-text'),
  optional('value', '--resume', '-r'),
  none('--continue', '-c'),
  none('--fork-session'),
  one('uuid', '--session-id'),
  none('--no-session-persistence'),
  one('name', '--name', '-n'),
  one('file-or-json', '--settings'),
  one('json', '--managed-settings'),
  one('sources', '--setting-sources'),
  choice('mode', PERMISSION_MODE_CHOICES, '--permission-mode'),
  none('--dangerously-skip-permissions'),
  none('--allow-dangerously-skip-permissions'),
  one('tool', '--permission-prompt-tool'),
  choice('target', ['host', 'none'], '--permission-prompts'),
  many('tools', '--allowedTools', '--allowed-tools'),
  many('tools', '--disallowedTools', '--disallowed-tools'),
  many('tools', '--tools'),
  many('directories', '--add-dir'),
  many('configs', '--mcp-config'),
  none('--strict-mcp-config'),
  one('path', '--plugin-dir'),
  none('--disable-slash-commands'),
  none('--bare'),
  one('prompt', '--system-prompt'),
  one('file', '--system-prompt-file'),
  one('prompt', '--append-system-prompt'),
  one('file', '--append-system-prompt-file'),
  one('json-or-file', '--agents'),
  one('agent', '--agent'),
  one('schema', '--json-schema'),
  one('amount', '--max-budget-usd'),
  one('turns', '--max-turns'),
  one('file', '--scenario'),
  one('failure', '--failure'),
  one('version', '--claude-version'),
  one('dir', '--cwd'),
];

/**
 * Flags of the real CLI that change what is sent to a model, what is logged or how a screen looks,
 * and so have no effect here: they are accepted and ignored.
 */
export const IGNORED_FLAGS: readonly Flag[] = [
  optional('filter', '--debug', '-d'),
  one('path', '--debug-file'),
  none('--debug-to-stderr'),
  none('--mcp-debug'),
  many('betas', '--betas'),
  one('level', '--effort'),
  one('tokens', '--max-thinking-tokens'),
  one('mode', '--thinking'),
  one('mode', '--thinking-display'),
  one('tokens', '--task-budget'),
  one('auto|tokens', '--autocompact'),
  one('on|off', '--system-prompt-snapshot'),
  one('on|off', '--fast-mode'),
  none('--exclude-dynamic-system-prompt-sections'),
  none('--ax-screen-reader'),
  none('--no-chrome'),
  none('--ide'),
  none('--enable-auth-status'),
  none('--await-initialize'),
];

/** Flags of the real CLI that the stand-in refuses, because ignoring them would change the result. */
export const REFUSED_FLAGS: readonly string[] = [
  '--bg',
  '--background',
  '--brief',
  '--channels',
  '--chrome',
  '--cloud',
  '--desktop',
  '--environment',
  '--file',
  '--from-pr',
  '--managed-settings-in-initialize',
  '--plugin-dir-no-mcp',
  '--plugin-url',
  '--project-config-root',
  '--prompt-suggestions',
  '--remote-control',
  '--remote-control-session-name-prefix',
  '--restricted',
  '--resume-drops-turn',
  '--resume-session-at',
  '--safe-mode',
  '--sdk-url',
  '--session-mirror',
  '--teleport',
  '--tmux',
  '--worktree',
  '-w',
];

/** Commands of the real CLI, such as `claude mcp list`. The stand-in has none of them. */
export const REFUSED_COMMANDS: readonly string[] = [
  'agents',
  'attach',
  'auth',
  'auto-mode',
  'doctor',
  'gateway',
  'import',
  'install',
  'logs',
  'mcp',
  'plugin',
  'plugins',
  'purge',
  'respawn',
  'rm',
  'setup-token',
  'stop',
  'ultrareview',
  'update',
  'upgrade',
];
