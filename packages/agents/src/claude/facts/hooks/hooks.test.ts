import { describe, expect, it } from 'vitest';
import { hookCommand, hookRun } from './command.js';
import { conditionHolds } from './condition.js';
import type { HookEventName } from './events.js';
import type { Hook, HookInput, HookRun } from './hook.js';
import { readHooks } from './load.js';
import { isBrokenMatcher, matcherCovers, matcherFires, matchingHooks } from './matcher.js';
import { combineVerdicts, interpretRun } from './verdict.js';

const hook = (event: HookEventName, command: string, more: Partial<Hook> = {}): Hook => ({
  event,
  matcher: '',
  source: 'userSettings',
  run: { type: 'command', command },
  ...more,
});
const input = (fields: Partial<HookInput> = {}): HookInput => ({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  transcript_path: '/t',
  cwd: '/',
  tool_name: 'Bash',
  ...fields,
});
const ran = (event: HookEventName, result: Partial<HookRun>): HookRun => ({
  hook: hook(event, 'cmd'),
  stdout: '',
  stderr: '',
  exitCode: 0,
  outcome: 'success',
  durationMs: 1,
  ...result,
});

describe('a matcher', () => {
  it('may look around, and may not take for ever', () => {
    expect(matcherCovers('^(?!Bash)', 'Write')).toBe(true);
    expect(matcherCovers('^(?!Bash)', 'Bash')).toBe(false);
    expect(() => matcherCovers('^(a+)+$', `${'a'.repeat(60)}!`)).toThrow(/takes too long/);
  });

  // The same table as in test/long/claude-facts-hooks.test.ts, where the real CLI answers.
  it.each([
    ['', 'Bash', true],
    ['*', 'Bash', true],
    ['Bash', 'Bash', true],
    ['bash', 'Bash', false],
    ['Ba', 'Bash', false],
    ['Write|Edit', 'Edit', true],
    ['Write, Edit', 'Edit', true],
    ['Write Edit', 'Edit', false],
    [' Bash ', 'Bash', true],
    ['|Bash', 'Bash', true],
    ['mcp__srv', 'mcp__srv__echo', false],
    ['mcp__.*', 'mcp__srv__echo', true],
    ['^Ba', 'Bash', true],
    ['Bash(echo *)', 'Bash', false],
    ['(', 'Bash', false],
  ])('%j covers %s: %s', (matcher, subject, covered) => {
    expect(matcherCovers(matcher, subject)).toBe(covered);
  });

  it.each(['Task', 'Agent', '^Task$'])('%s is about the tool that starts a subagent', (matcher) => {
    expect(matcherFires(matcher, input({ tool_name: 'Agent' }))).toBe(true);
  });

  it('is compared with the last part of a file name, and with nothing where there is no subject', () => {
    expect(matcherFires('.env', input({ hook_event_name: 'FileChanged', file_path: '/p/.env' }))).toBe(true);
    expect(matcherFires('Bash', input({ hook_event_name: 'Stop' }))).toBe(true);
  });

  it('is broken when it is neither names nor a regular expression', () => {
    expect(['Write(', 'Write|Edit', '*', '', '^Ba'].filter(isBrokenMatcher)).toEqual(['Write(']);
  });
});

it('fires the same command once, and other events not at all', () => {
  const hooks = [
    hook('PreToolUse', 'a'),
    hook('PreToolUse', 'a', { matcher: 'B.*' }),
    hook('PreToolUse', 'b', { matcher: 'Write' }),
    hook('Stop', 'c'),
  ];
  expect(matchingHooks(hooks, input())).toEqual([hooks[0]]);
});

it('fires on its condition, and the same command once for each', () => {
  const conditions = ['Bash(ls:*)', 'Bash(git *)', 'Bash', 'Write', 'Bash(ls:*)', '', ' Bash(ls:*) '];
  const hooks = conditions.map((condition) => hook('PreToolUse', 'a', { condition }));
  const fired = (command: string) =>
    matchingHooks(hooks, input({ tool_name: 'Bash', tool_input: { command } })).map(({ condition }) => condition);
  expect(fired('ls x')).toEqual(['Bash(ls:*)', 'Bash', '']);
  expect(fired('x && git push')).toEqual(['Bash(git *)', 'Bash', '']);
  expect(fired('x "$Y"'), 'may be anything').toEqual(['Bash(ls:*)', 'Bash(git *)', 'Bash', '']);
});

it('never fires on a condition where there is no tool', () => {
  const hooks = [hook('Stop', 'a', { condition: 'Bash' }), hook('Stop', 'b')];
  expect(matchingHooks(hooks, input({ hook_event_name: 'Stop', tool_name: undefined }))).toEqual([hooks[1]]);
});

it.each([
  ['Write(docs/**)', 'Write', { file_path: '/p/docs/a.md' }, true],
  ['Edit(docs/**)', 'Write', { file_path: '/p/docs/a.md' }, false],
  ['Write(*.md)', 'Write', { file_path: '/p/a.ts' }, false],
  ['WebFetch', 'WebFetch', { url: 'https://example.com/x' }, true],
  ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com/x' }, false],
  ['mcp__srv__echo', 'mcp__srv__echo', {}, true],
  ['mcp__srv', 'mcp__srv__echo', {}, false],
  ['Task', 'Agent', {}, true],
  ['Bash(git:*)', 'Bash', {}, false],
])('%s for %s %j is %s', (condition, tool, use, holds) => {
  expect(conditionHolds(condition, { cwd: '/p', tool_name: tool, tool_input: use })).toBe(holds);
});

it('reads seconds and hooks of each kind, and leaves out what is wrong', () => {
  const hooks = readHooks(
    {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            { type: 'command', command: 'x', timeout: 2 },
            { type: 'http', url: 'http://127.0.0.1:1/', headers: { a: '$B' }, allowedEnvVars: ['B'] },
            { type: 'http', url: 'nowhere' },
            { type: 'mcp_tool', server: 's', tool: 't', input: { a: 1 } },
            { type: 'prompt', prompt: 'p', model: 'haiku', continueOnBlock: true },
            { type: 'command', command: 'x', if: 5 },
            { type: 'command', command: 'x', if: 'Bash' },
          ],
        },
      ],
      Nonsense: [],
    },
    { source: 'userSettings' },
  );
  expect(hooks).toMatchObject([
    { event: 'PreToolUse', matcher: 'Bash', timeoutMs: 2000 },
    { run: { type: 'http', url: 'http://127.0.0.1:1/' } },
    { run: { type: 'mcp_tool', server: 's', tool: 't' } },
    { run: { type: 'prompt', prompt: 'p', model: 'haiku', continueOnBlock: true } },
    { condition: 'Bash' },
  ]);
});

it('reads which hooks are not waited for, and which one wakes the agent', () => {
  const entry = { type: 'command', command: 'x' };
  const entries = [entry, { ...entry, async: true }, { ...entry, asyncRewake: true }];
  const hooks = readHooks({ Stop: [{ hooks: entries }] }, { source: 'userSettings' });
  expect(hooks.map(({ background, rewake }) => ({ background, rewake }))).toEqual([
    {},
    { background: true },
    { rewake: true },
  ]);
});

describe('the verdict of a hook', () => {
  it('names the hook that blocks, and its plugin', () => {
    const run = ran('PreToolUse', { exitCode: 2, stderr: 'no\n' });
    expect(interpretRun(run).block).toEqual({ reason: '[cmd]: no\n', words: 'no' });
    const ofPlugin = { ...run.hook, plugin: { id: 'demo@shop', name: 'demo', root: '/plug' } };
    expect(interpretRun({ ...run, hook: ofPlugin }).block).toEqual({
      reason: '[cmd]: no\n\nThis hook comes from the demo@shop plugin.',
      words: 'no',
    });
  });

  it('is read from JSON, old and new', () => {
    const json = (value: object): Partial<HookRun> => ({ stdout: JSON.stringify(value) });
    expect(interpretRun(ran('PreToolUse', json({ decision: 'block', reason: 'r' }))).permission).toEqual({
      decision: 'deny',
      reason: 'r',
    });
    expect(interpretRun(ran('PreToolUse', json({ continue: false, stopReason: 's' }))).stop).toEqual({ reason: 's' });
    const specific = {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: { a: 1 },
        additionalContext: 'c',
      },
    };
    expect(interpretRun(ran('PreToolUse', json(specific)))).toEqual({
      permission: { decision: 'allow', reason: '' },
      updatedInput: { a: 1 },
      additionalContext: 'c',
    });
  });

  it.each(['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion'] as const)('of %s: text is context', (event) => {
    expect(interpretRun(ran(event, { stdout: 'context\n' })).additionalContext).toBe('context');
    expect(interpretRun(ran('PostToolUse', { stdout: 'context\n' }))).toEqual({});
  });

  it('of several hooks is the strictest', () => {
    const allow = { permission: { decision: 'allow' as const, reason: 'a' } };
    const deny = { permission: { decision: 'deny' as const, reason: 'd' } };
    expect(combineVerdicts([allow, deny, allow]).permission).toEqual(deny.permission);
  });
});

describe('how a hook is started', () => {
  const plugin = { id: 'p@inline', name: 'p', root: '/the root' };

  it('goes through the shell, with the root of its plugin in the environment', () => {
    const command = hookCommand(hook('Stop', '"${CLAUDE_PLUGIN_ROOT}"/x.sh', { plugin }), input(), { env: { A: '1' } });
    expect(command).toMatchObject({
      command: { shellLine: '"${CLAUDE_PLUGIN_ROOT}"/x.sh' },
      env: { A: '1', CLAUDE_PLUGIN_ROOT: '/the root' },
      timeoutMs: 60_000,
    });
    expect(JSON.parse(command.input)).toEqual(input());
  });

  it('fills in the variables itself where there is no shell', () => {
    const run = { type: 'command' as const, command: 'node', args: ['${CLAUDE_PLUGIN_ROOT}/x.js', '${HOME}'] };
    expect(hookCommand(hook('Stop', '', { plugin, run }), input(), { env: { HOME: '/h' } }).command).toEqual({
      program: 'node',
      args: ['/the root/x.js', '${HOME}'],
    });
  });

  it('gives a command prefix the whole line as one word', () => {
    const env = { CLAUDE_CODE_SHELL_PREFIX: '/bin/wrap' };
    expect(hookCommand(hook('Stop', "echo 'a b'"), input(), { env }).command).toEqual({
      shellLine: `/bin/wrap 'echo '"'"'a b'"'"''`,
    });
  });

  it('takes the timeout of the hook before any other', () => {
    const options = { env: {}, defaultTimeoutMs: 5 };
    expect(hookCommand(hook('Stop', 'x', { timeoutMs: 7 }), input(), options).timeoutMs).toBe(7);
    expect(hookCommand(hook('Stop', 'x'), input(), options).timeoutMs).toBe(5);
  });

  it('ends as success, error or cancelled', () => {
    const ended = { stdout: '', stderr: '', durationMs: 1, exitCode: 0, cancelled: false };
    const stop = hook('Stop', 'x');
    expect(hookRun(stop, ended).outcome).toBe('success');
    expect(hookRun(stop, { ...ended, exitCode: 3 }).outcome).toBe('error');
    expect(hookRun(stop, { ...ended, exitCode: 1, cancelled: true }).outcome).toBe('cancelled');
  });
});
