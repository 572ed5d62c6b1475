import type { Failure } from '../../../packages/script/src/schema.js';
import { fail, say, tool } from '../../../packages/suites/src/drift/case.js';
import type { Part } from './parts.js';

const SESSION = '66666666-6666-4666-8666-666666666666';
const OTHER = '77777777-7777-4777-8777-777777777777';

/** Prompts: talk, commands of the CLI, commands of the plugin below, and some that nobody knows. */
export const PROMPTS: readonly string[] = [
  ...['hi', 'go on', 'two\nlines', 'Grüße ✓', 'mcp', 'update', '@a.txt', '!ls', '#note', '/', '/ x', '//hi'],
  ...['/cost', '/clear', '/model haiku', '/model', '/help', '/nosuch thing', '/usage', '/Cost', '/status', '/compact'],
  ...['/demo:run', '/demo:make it', '/make it', '/demo:sk', '/demo:nosuch', '/mine a b', '/other', '  /mine  x'],
];

const flag = (...args: string[]): Part => ({ args });

/** Flags: known and hidden, right and wrong. */
export const FLAGS: readonly Part[] = [
  ...['acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'default', 'manual', 'auto'].map((mode) =>
    flag('--permission-mode', mode),
  ),
  ...['haiku', 'sonnet', 'opus', 'claude-sonnet-4-5'].map((model) => flag('--model', model)),
  flag('--model'),
  ...['1', '2', '0'].map((turns) => flag('--max-turns', turns)),
  ...['Read', 'Bash,Edit', 'default', ''].map((tools) => flag('--tools', tools)),
  ...['0.00001', '5'].map((budget) => flag('--max-budget-usd', budget)),
  flag('--include-hook-events'),
  flag('--include-partial-messages'),
  flag('--replay-user-messages'),
  flag('--forward-subagent-text'),
  flag('--verbose'),
  flag('--allowedTools', 'Bash(touch:*)', 'Write'),
  flag('--disallowedTools', 'Bash'),
  flag('--allowed-tools', 'Edit'),
  flag('--append-system-prompt', 'Be kind.'),
  flag('--system-prompt', 'Be kind.'),
  flag('--no-session-persistence'),
  flag('--session-id', SESSION),
  flag('--name', 'a title'),
  flag('--disable-slash-commands'),
  flag('--strict-mcp-config'),
  flag('--add-dir', '/'),
  flag('--fallback-model', 'haiku'),
  flag('--setting-sources', 'user'),
  flag('--setting-sources', 'project,local'),
  flag('--settings', '{"model":"haiku"}'),
  flag('--agents', '{"rev":{"description":"d","prompt":"p"}}'),
  flag('--agent', 'general-purpose'),
  flag('--effort', 'high'),
  flag('--betas', 'x'),
  flag('--permission-prompt-tool', 'stdio'),
  flag('--permission-prompts', 'none'),
  flag('--thinking', 'disabled'),
  flag('--exclude-dynamic-system-prompt-sections'),
  flag('--max-thinking-tokens', '100'),
  flag('--fork-session'),
  flag('--nonsense'),
  flag('--output-format', 'xml'),
  flag('-d'),
  flag('--'),
];

const write = (file: string) => tool('Write', { file_path: file, content: 'x\n' });
const uses = (...steps: NonNullable<Part['steps']>[number][]): Part => ({ steps });

/** What the model does with its tools. */
export const TOOLS: readonly Part[] = [
  ...['ls', 'touch new', 'echo hi > out.txt', 'exit 3', 'cat a.txt | head -1', 'rm -rf sub', 'git status', 'true'].map(
    (command) => uses(tool('Bash', { command })),
  ),
  uses(tool('Bash', { command: 'echo a; echo b >&2', description: 'say' })),
  uses(tool('Bash', {})),
  uses(write('new.txt')),
  uses(write('sub/deep/new.txt')),
  uses(write('../outside.txt')),
  uses(write('a.txt')),
  uses(tool('Read', { file_path: 'a.txt' }), write('a.txt')),
  uses(tool('Read', { file_path: 'a.txt' }), tool('Edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' })),
  uses(tool('Edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' })),
  uses(tool('Read', { file_path: 'nothing.txt' })),
  uses(tool('Read', { file_path: 'a.txt', limit: 1 })),
  {
    args: ['--tools', 'Glob,Grep,Read'],
    ...uses(tool('Glob', { pattern: '**/b.txt' }), tool('Grep', { pattern: 'one' })),
  },
  uses(tool('NoSuchTool', { x: 1 })),
  ...['demo:sk', 'other', 'othr', 'cost'].map((skill) => uses(tool('Skill', { skill }))),
  uses({
    say: 'both',
    tools: [
      { tool: 'Bash', input: { command: 'ls' } },
      { tool: 'Read', input: { file_path: 'a.txt' } },
    ],
  }),
  uses({
    ...tool('Task', { description: 'look', prompt: 'look', subagent_type: 'Explore', run_in_background: false }),
    subagent: [tool('Bash', { command: 'ls' }), say('found')],
  }),
  uses({ thinking: 'hm', tools: [{ tool: 'Bash', input: { command: 'ls' } }] }),
  { files: { 'a.txt': 'one\ntwo\n', 'sub/b.txt': 'b\n' } },
];

const command = (text: string): object[] => [{ hooks: [{ type: 'command', command: text }] }];
const json = (value: object): string => `echo '${JSON.stringify(value)}'`;
const specific = (hookEventName: string, fields: object): string =>
  json({ hookSpecificOutput: { hookEventName, ...fields } });
/** Of two hooks of one event, the second ends last. */
const late = (then: string): string => `sleep 0.5; ${then}`;
const once = (then: string): string => `[ -e $HOME/once ] || { touch $HOME/once; ${then}; }`;
const hook = (event: string, text: string, matcher?: string): Part => ({
  settings: {
    hooks: { [event]: command(text).map((group) => (matcher === undefined ? group : { matcher, ...group })) },
  },
});

const hooks = (event: string, ...texts: string[]): Part => ({
  settings: { hooks: { [event]: texts.flatMap(command) } },
});

/** Hooks of the user's settings. */
export const HOOKS: readonly Part[] = [
  hook('PreToolUse', 'echo no >&2; exit 2', 'Bash'),
  hook('PreToolUse', 'exit 1'),
  hook('PreToolUse', specific('PreToolUse', { permissionDecision: 'allow' }), 'Write|Edit'),
  hook('PreToolUse', specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'why' })),
  hook('PreToolUse', specific('PreToolUse', { additionalContext: 'context' })),
  hook('PreToolUse', json({ decision: 'block' })),
  hook('PreToolUse', json({ systemMessage: 'careful' })),
  hook('PostToolUse', json({ continue: false, stopReason: 'halt' })),
  hook('PostToolUseFailure', json({ continue: false, stopReason: 'halt' })),
  hook('SessionStart', specific('SessionStart', { additionalContext: 'context' })),
  hook('Stop', once(specific('Stop', { additionalContext: 'context' }))),
  hook('PostToolUse', 'echo seen'),
  hook('PostToolUse', json({ decision: 'block', reason: 'again' })),
  hook('PostToolUse', 'exit 2', 'Write'),
  hook('PostToolUseFailure', 'echo failed'),
  hook('UserPromptSubmit', 'echo context'),
  hook('UserPromptSubmit', 'echo no >&2; exit 2'),
  hook('UserPromptSubmit', specific('UserPromptSubmit', { additionalContext: 'more' })),
  hook('UserPromptExpansion', 'exit 2'),
  hook('SessionStart', 'echo started'),
  hook('SessionStart', 'true', 'resume'),
  hook('SessionStart', 'exit 1'),
  hook('SessionEnd', 'true'),
  hook('Stop', 'true'),
  hook('Stop', once('echo more >&2; exit 2')),
  hook('Stop', json({ continue: false, stopReason: 'halt' })),
  hook('Stop', json({ systemMessage: 'careful' })),
  hook('PreCompact', 'exit 2'),
  hook('Notification', 'true'),
  hook('PreToolUse', 'nosuchcommand'),
  hook('PermissionRequest', specific('PermissionRequest', { decision: { behavior: 'allow' } })),
  hook('PermissionRequest', specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } })),
  hook('PermissionDenied', 'true'),
  hook('PreToolUse', specific('PreToolUse', { permissionDecision: 'ask' }), 'Bash'),
  ...[
    ['PreToolUse', 'echo one >&2; exit 2', 'echo two >&2; exit 2'],
    ['PostToolUse', 'echo one', json({ decision: 'block', reason: 'two' })],
    ['UserPromptSubmit', 'echo one', 'echo two'],
    ['SessionStart', 'echo one', 'echo two'],
    ['Stop', 'true', once('echo two >&2; exit 2')],
  ].map(([event = '', first = '', second = '']) => hooks(event, first, late(second))),
];

const setting = (settings: Part['settings']): Part => ({ settings: settings ?? {} });

/** Settings of the user and of the project. */
export const SETTINGS: readonly Part[] = [
  setting({ model: 'sonnet' }),
  setting({ env: { COLOR: 'red' } }),
  setting({ permissions: { defaultMode: 'acceptEdits' } }),
  setting({ permissions: { defaultMode: 'plan' } }),
  setting({ permissions: { additionalDirectories: ['/'] } }),
  setting({ outputStyle: 'Explanatory' }),
  setting({ nonsense: 1 }),
  setting({ disableAllHooks: true }),
  setting({ includeCoAuthoredBy: false, cleanupPeriodDays: 3 }),
  { files: { '.claude/settings.json': { model: 'haiku', permissions: { allow: ['Write'], deny: ['Bash(rm *)'] } } } },
  { files: { '.claude/settings.local.json': { permissions: { ask: ['Edit'] } } } },
  { files: { '.claude/settings.json': '{' } },
  { files: { 'CLAUDE.md': 'Be kind.\n' } },
  { files: { '.claude/commands/mine.md': 'Do $ARGUMENTS' } },
  { files: { '.claude/commands/mine.md': '---\nallowed-tools: Write\nargument-hint: [x]\n---\nDo $1 then $0' } },
  { files: { '.claude/skills/other/SKILL.md': '---\nname: other\ndescription: Another\n---\nDo it' } },
  { files: { '.claude/agents/rev.md': '---\nname: rev\ndescription: Reviews\n---\nYou review.' } },
  { files: { '.mcp.json': { mcpServers: { gone: { command: '/bin/false' } } } } },
];

/** Permission rules. */
export const RULES: readonly Part[] = [
  ...['Bash(ls)', 'Bash(touch:*)', 'Write', 'Edit(sub/**)', 'Bash', 'Read(//etc/**)'].map((rule) =>
    setting({ permissions: { allow: [rule] } }),
  ),
  ...['Bash(rm:*)', 'Read(a.txt)', 'Write', 'Edit(*.txt)', 'Nope', 'Skill'].map((rule) =>
    setting({ permissions: { deny: [rule] } }),
  ),
  ...['Bash(git *)', 'Edit', 'Write(x)'].map((rule) => setting({ permissions: { ask: [rule] } })),
];

const MANIFEST = { 'plug/.claude-plugin/plugin.json': { name: 'demo', version: '1.2.3' } };
const COMMAND = { 'plug/commands/make.md': '---\ndescription: Make\nallowed-tools: Write\n---\nMake $ARGUMENTS.\n' };
const SKILL = { 'plug/skills/sk/SKILL.md': '---\nname: sk\ndescription: A skill\n---\nDo it with $ARGUMENTS' };
const plugin = (files: Record<string, string | object>): Part => ({ args: ['--plugin-dir', 'plug'], files });

/** Plugins, sound and broken. */
export const PLUGINS: readonly Part[] = [
  plugin({ ...MANIFEST, ...COMMAND, ...SKILL }),
  plugin({ ...MANIFEST, ...COMMAND, 'plug/hooks/hooks.json': { hooks: { Stop: command('true') } } }),
  plugin({ ...MANIFEST, ...SKILL, 'plug/agents/rev.md': '---\nname: rev\ndescription: Reviews\n---\nYou review.' }),
  plugin({ ...COMMAND }),
  plugin({ ...MANIFEST, 'plug/hooks/hooks.json': '{' }),
  plugin({ 'plug/.claude-plugin/plugin.json': '{', ...COMMAND }),
  plugin({ ...MANIFEST, 'plug/commands/run.md': 'Now: !`echo run`\n' }),
  plugin({ ...MANIFEST, ...COMMAND, 'plug/commands/run.md': 'Now:\n```!\necho run\nls nothing\n```\n' }),
];

const failing = (failure: Failure, retries: number): Part => ({
  steps: [fail(failure)],
  env: { CLAUDE_CODE_MAX_RETRIES: String(retries) },
});
const passing = (failure: Failure): Part => ({
  steps: [fail(failure), say('fine')],
  env: { CLAUDE_CODE_MAX_RETRIES: '2' },
});

/** Failures of the API. */
export const FAILURES: readonly Part[] = [
  failing({ type: 'auth_error' }, 0),
  failing({ type: 'auth_error', message: 'key revoked' }, 1),
  failing({ type: 'forbidden' }, 0),
  failing({ type: 'model_not_found' }, 0),
  failing({ type: 'rate_limit', retry_after: 1 }, 1),
  failing({ type: 'out_of_credits' }, 0),
  failing({ type: 'context_length' }, 0),
  failing({ type: 'server_error', message: 'broken' }, 0),
  failing({ type: 'overloaded' }, 1),
  failing({ type: 'connection_reset' }, 0),
  failing({ type: 'partial_response', partial_text: 'so far' }, 0),
  failing({ type: 'malformed_json', raw: '{"type":' }, 0),
  failing({ type: 'html_response' }, 0),
  passing({ type: 'server_error' }),
  passing({ type: 'overloaded' }),
  passing({ type: 'rate_limit', retry_after: 0 }),
  passing({ type: 'partial_response', partial_text: 'so far' }),
];

const earlier = (...args: string[]): Part => ({ before: { args: ['-p', 'before', ...args] } });

/** Sessions that go on. */
export const SESSIONS: readonly (readonly Part[])[] = [
  [earlier('--session-id', SESSION), flag('--resume', SESSION)],
  [earlier('--session-id', SESSION), flag('--continue')],
  [earlier('--session-id', SESSION), flag('--resume', SESSION, '--fork-session', '--session-id', OTHER)],
  [earlier('--session-id', SESSION, '--model', 'haiku'), flag('-c')],
  [earlier('--name', 'my title'), flag('--resume', 'my title')],
  [earlier('--session-id', SESSION), flag('--session-id', SESSION)],
  [flag('--resume', OTHER)],
  [flag('--continue')],
];
