/** What follows a flag: nothing, one value, all words up to the next flag, or one optional value. */
type ValueKind = 'none' | 'one' | 'many' | 'optional';

export interface Flag {
  names: readonly string[];
  kind: ValueKind;
  /** What its value is called in an error, `<format>`. */
  label?: string;
  choices?: readonly string[];
  /** Values that it takes although help and errors do not list them. */
  unlisted?: readonly string[];
  /** What is wrong with a value, in the words of the real CLI. */
  problem?: (value: string) => string | undefined;
}

const none = (...names: string[]): Flag => ({ names, kind: 'none' });
const one = (label: string, ...names: string[]): Flag => ({ names, kind: 'one', label: `<${label}>` });
const many = (label: string, ...names: string[]): Flag => ({ names, kind: 'many', label: `<${label}...>` });
const optional = (label: string, ...names: string[]): Flag => ({ names, kind: 'optional', label: `[${label}]` });
const choice = (label: string, choices: readonly string[], ...names: string[]): Flag => ({
  ...one(label, ...names),
  choices,
});

const checked = (flag: Flag, isFine: (value: string) => boolean, reason: string): Flag => ({
  ...flag,
  problem: (value) => (isFine(value) ? undefined : reason),
});
const isNumber = (value: string): boolean => !Number.isNaN(Number(value));

/** `auto`, `500k`, `1M`, `200000`, or `200` for 200k. */
function isAutocompact(value: string): boolean {
  if (value === 'auto') return true;
  const [, digits, unit = ''] = /^(\d+)([km]?)$/i.exec(value) ?? [];
  if (digits === undefined) return false;
  const number = Number(digits);
  const tokens =
    unit === '' ? (number <= 1000 ? number * 1000 : number) : number * (/k/i.test(unit) ? 1000 : 1_000_000);
  return tokens >= 100_000 && tokens <= 1_000_000;
}

const PERMISSION_MODE_CHOICES = ['acceptEdits', 'auto', 'bypassPermissions', 'manual', 'dontAsk', 'plan'] as const;

/** Flags that change what a session does. The parsed value is stored under the first name. */
export const FLAGS: readonly Flag[] = [
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
  none('--session-mirror'),
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
  { ...choice('mode', PERMISSION_MODE_CHOICES, '--permission-mode'), unlisted: ['default'] },
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
  checked(
    one('amount', '--max-budget-usd'),
    (value) => Number(value) > 0 && isNumber(value),
    '--max-budget-usd must be a positive number greater than 0',
  ),
  checked(one('turns', '--max-turns'), isNumber, 'must be a number'),
  // These three are the stand-in's own.
  one('file', '--scenario'),
  one('failure', '--failure'),
  one('version', '--claude-version'),
  one('level', '--effort'),
  none('--await-initialize'),
  none('--init'),
  none('--init-only'),
  none('--maintenance'),
];

/** Flags that change only what is sent to a model, what is logged or how a screen looks. */
export const MINOR_FLAGS: readonly Flag[] = [
  optional('filter', '--debug', '-d'),
  one('path', '--debug-file'),
  none('--debug-to-stderr'),
  checked(one('tokens', '--max-thinking-tokens'), isNumber, 'must be a number'),
  choice('mode', ['enabled', 'adaptive', 'disabled'], '--thinking'),
  choice('display', ['summarized', 'omitted', 'highlights'], '--thinking-display'),
  checked(
    one('tokens', '--task-budget'),
    (value) => Number.isInteger(Number(value)) && Number(value) > 0,
    '--task-budget must be a positive integer',
  ),
  checked(
    one('auto|tokens', '--autocompact'),
    isAutocompact,
    "It must be 'auto', or between 100k and 1M (e.g. 500k, 200000, or 200 as shorthand)",
  ),
  choice('on|off', ['on', 'off'], '--system-prompt-snapshot'),
  one('on|off', '--fast-mode'),
  none('--exclude-dynamic-system-prompt-sections'),
  none('--ax-screen-reader'),
  // The mode is there in any case.
  none('--enable-auto-mode'),
  none('--no-chrome'),
  none('--ide'),
  none('--enable-auth-status'),
  many('betas', '--betas'),
];
