import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Hook, HookEvent, HookInput, HookRun } from './hook.js';
import { combineVerdicts, interpretHook } from './interpret.js';
import { readHooks } from './load.js';
import { matcherCovers, matchingHooks } from './match.js';
import { runHookCommand } from './run-command.js';

const hook = (event: HookEvent, command: string, more: Partial<Hook> = {}): Hook => ({
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
const ran = (event: HookEvent, result: Partial<HookRun>): HookRun => ({
  hook: hook(event, 'cmd'),
  stdout: '',
  stderr: '',
  exitCode: 0,
  outcome: 'success',
  durationMs: 1,
  ...result,
});

it.each([
  ['', 'Bash', true],
  ['*', 'Bash', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['Write|Edit', 'Edit', true],
  ['mcp__.*', 'mcp__srv__echo', true],
  ['^Ba', 'Bash', true],
  ['(', 'Bash', false],
])('the matcher %j covers %s: %s', (matcher, subject, covered) => {
  expect(matcherCovers(matcher, subject)).toBe(covered);
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

it('reads seconds, and names what it cannot run', () => {
  const { hooks, ignored } = readHooks(
    {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            { type: 'command', command: 'x', timeout: 2 },
            { type: 'prompt', prompt: 'p' },
          ],
        },
      ],
      Nonsense: [],
    },
    { source: 'userSettings' },
  );
  expect(hooks).toMatchObject([{ event: 'PreToolUse', matcher: 'Bash', timeoutMs: 2000 }]);
  expect(ignored).toHaveLength(2);
});

describe('what a hook says', () => {
  it('blocks with exit 2 where it can, and not with exit 1', () => {
    expect(interpretHook(ran('PreToolUse', { exitCode: 2, stderr: 'no\n' })).block).toEqual({
      reason: '[cmd]: no\n',
      words: 'no',
    });
    expect(interpretHook(ran('PreToolUse', { exitCode: 1, stderr: 'no' }))).toEqual({});
    expect(interpretHook(ran('SessionStart', { exitCode: 2 }))).toEqual({});
  });

  it('names the plugin whose hook blocks', () => {
    const run = ran('PreToolUse', { exitCode: 2, stderr: 'no\n' });
    const hook = { ...run.hook, plugin: { name: 'demo', root: '/plug' } };
    expect(interpretHook({ ...run, hook }).block).toEqual({
      reason: '[cmd]: no\n\nThis hook comes from the demo@inline plugin.',
      words: 'no',
    });
  });

  it('is read from JSON, old and new', () => {
    const json = (value: object): Partial<HookRun> => ({ stdout: JSON.stringify(value) });
    expect(interpretHook(ran('PreToolUse', json({ decision: 'block', reason: 'r' }))).permission).toEqual({
      decision: 'deny',
      reason: 'r',
    });
    expect(interpretHook(ran('Stop', json({ decision: 'block', reason: 'r' }))).block).toEqual({
      reason: 'r',
      words: 'r',
    });
    expect(interpretHook(ran('PreToolUse', json({ continue: false, stopReason: 's' }))).stop).toEqual({ reason: 's' });
    const specific = {
      hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { a: 1 }, additionalContext: 'c' },
    };
    expect(interpretHook(ran('PreToolUse', json(specific)))).toEqual({
      permission: { decision: 'allow', reason: '' },
      updatedInput: { a: 1 },
      additionalContext: 'c',
    });
  });

  it('is context as plain text for two events only', () => {
    expect(interpretHook(ran('UserPromptSubmit', { stdout: 'context\n' })).additionalContext).toBe('context');
    expect(interpretHook(ran('PostToolUse', { stdout: 'context\n' }))).toEqual({});
  });

  it('comes to the strictest of all', () => {
    const allow = { permission: { decision: 'allow' as const, reason: 'a' } };
    const deny = { permission: { decision: 'deny' as const, reason: 'd' } };
    expect(combineVerdicts([allow, deny, allow]).permission).toEqual(deny.permission);
  });
});

describe('running a hook', () => {
  const options = { cwd: mkdtempSync(join(tmpdir(), 'hook-')), env: { PATH: process.env['PATH'] } };

  it('gives it the input on stdin, and takes all it says', async () => {
    const run = await runHookCommand(hook('PreToolUse', 'cat; echo err >&2; exit 3'), input(), options);
    expect(JSON.parse(run.stdout)).toMatchObject({ tool_name: 'Bash' });
    expect(run).toMatchObject({ stderr: 'err\n', exitCode: 3, outcome: 'error' });
  });

  it('ends it, with all it started, when its time is over', async () => {
    const run = await runHookCommand(hook('PreToolUse', 'sleep 60 & sleep 60', { timeoutMs: 100 }), input(), options);
    expect(run.outcome).toBe('cancelled');
    expect(run.durationMs).toBeLessThan(15_000);
  });

  it('tells it the root of its plugin', async () => {
    const run = await runHookCommand(
      hook('PreToolUse', 'echo "${CLAUDE_PLUGIN_ROOT}"', {
        plugin: { name: 'p', root: '/the root' },
      }),
      input(),
      options,
    );
    expect(run.stdout).toBe('/the root\n');
  });
});
