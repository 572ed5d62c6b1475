import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ConversationEvent } from '../../packages/agents/src/events.js';
import { Conversation } from '../../packages/stage/src/conversation/conversation.js';
import type { DeclaredHook } from '../../packages/stage/src/plugins/declared/component.js';
import { type FiredHook, fireEach, fireHooks } from '../../packages/stage/src/plugins/hooks/fire.js';
import { fireInto } from '../../packages/stage/src/plugins/hooks/fire-into.js';
import { type ComponentReport, countComponents, type PluginReport } from '../../packages/stage/src/plugins/report.js';
import { hooksFile, writePlugin } from '../helpers/plugin-fixtures.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

const claude = await realAgent('claude');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-fire-')));
afterAll(() => rmSync(root, { recursive: true }));

interface Played {
  events: readonly ConversationEvent[];
  /** All that the model was sent, as text. */
  wire: string;
  /** What the tool wrote, if it ran. */
  made: string | undefined;
}

/** One hook, on one event: fired by hand, and fired by the real CLI. */
async function both(
  name: string,
  event: string,
  command: string,
  { more = {}, tool = 'Write' }: { more?: Record<string, unknown>; tool?: 'Write' | 'Bash' } = {},
): Promise<{ fired: FiredHook; real: Played }> {
  const plugin = writePlugin(root, name, { 'hooks/hooks.json': hooksFile(event, command, more) });
  const cwd = join(root, `${name}-project`);
  mkdirSync(cwd);
  const file = join(cwd, 'made.txt');
  const input = tool === 'Write' ? { file_path: file, content: 'as the model said' } : { command: 'echo hello' };
  const { fired } = await fireHooks({ from: plugin, event, tool, toolInput: input, cwd });
  const [hook] = fired;
  if (hook === undefined) throw new Error('no hook was fired');
  const conversation = await Conversation.start({
    agent: 'claude',
    cwd,
    plugins: [plugin],
    scenario: { default_response: { text: 'Done.', tool_calls: [{ tool, input }] } },
  });
  try {
    await conversation.send('Go on.');
    const requests = conversation.server?.journal.entries() ?? [];
    return {
      fired: hook,
      real: {
        events: [...conversation.events],
        wire: requests.map(({ body }) => JSON.stringify(body)).join('\n'),
        made: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
      },
    };
  } finally {
    await conversation.end();
  }
}

function only<T extends ConversationEvent['type']>(real: Played, type: T) {
  return real.events.filter((event): event is Extract<ConversationEvent, { type: T }> => event.type === type);
}

/** The report of a plugin with one hook, after that was fired. */
function firedInto(path: string, hook: DeclaredHook | undefined): Promise<PluginReport> {
  if (hook === undefined) throw new Error('the hook was not fired');
  const { text: name, event, matcher } = hook;
  const components: ComponentReport[] = [{ kind: 'hook', status: 'loaded', warnings: [], name, event, matcher }];
  const base = { plugin: 'all', path, agent: 'claude@0', ok: true, loaded: true, problems: [], notes: [] };
  return fireInto({ ...base, notCompared: [], components, counts: countComponents(components) });
}

/** The reason as it stands in a JSON text. */
const written = (text: string | undefined) => JSON.stringify(text ?? '').slice(1, -1);

describe.skipIf(claude === undefined)('a hook fired by hand does what the real CLI makes of it', () => {
  it('PreToolUse with exit 2 blocks the tool, and stderr is the reason', async () => {
    const { fired, real } = await both('exit-two', 'PreToolUse', 'echo not on my watch >&2; exit 2');
    expect(fired).toMatchObject({ exitCode: 2, blocked: true, decision: 'block', outcome: 'error' });
    expect(fired.reason).toContain('not on my watch');
    expect(only(real, 'tool_result')[0]).toMatchObject({ status: 'blocked' });
    expect(only(real, 'tool_result')[0]?.text).toContain(fired.reason);
    expect(real.made).toBeUndefined();
  });

  it('PreToolUse with exit 1 blocks nothing', async () => {
    const { fired, real } = await both('exit-one', 'PreToolUse', 'echo not on my watch >&2; exit 1');
    expect(fired).toMatchObject({ exitCode: 1, blocked: false, decision: 'none' });
    expect(only(real, 'hook_finished')[0]).toMatchObject({ exitCode: 1, stderr: fired.stderr, blocked: false });
    expect(real.made).toBe('as the model said');
  });

  it('PreToolUse denies in JSON', async () => {
    const output = {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'too early',
      },
    };
    const { fired, real } = await both('deny', 'PreToolUse', `echo '${JSON.stringify(output)}'`);
    expect(fired).toMatchObject({ exitCode: 0, blocked: true, decision: 'deny', reason: 'too early' });
    expect(only(real, 'tool_result')[0]?.text).toContain('too early');
    expect(real.made).toBeUndefined();
  });

  it('PreToolUse denies in JSON without the name of its event: that counts for nothing', async () => {
    const output = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'too early' } };
    const { fired, real } = await both('no-name', 'PreToolUse', `echo '${JSON.stringify(output)}'`);
    expect(fired).toMatchObject({ exitCode: 0, blocked: false, decision: 'none' });
    expect(fired.problem).toContain('missing required field "hookEventName"');
    const [told] = only(real, 'hook_finished');
    expect(told).toMatchObject({ exitCode: 0, blocked: false, outcome: 'error' });
    expect(told?.stderr.startsWith(fired.problem ?? '?')).toBe(true);
    expect(real.made).toBe('as the model said');
  });

  it('PreToolUse asks in JSON, where nobody would have been asked', async () => {
    const output = {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: 'are you sure',
      },
    };
    const { fired, real } = await both('ask', 'PreToolUse', `echo '${JSON.stringify(output)}'`, { tool: 'Bash' });
    expect(fired).toMatchObject({ blocked: false, decision: 'ask', reason: 'are you sure' });
    expect(only(real, 'permission')).toMatchObject([{ tool: 'Bash', decision: 'allow' }]);
    const { real: unasked } = await both('no-ask', 'PreToolUse', 'true', { tool: 'Bash' });
    expect(only(unasked, 'permission')).toEqual([]);
  });

  it('PreToolUse changes the input', async () => {
    const change = `node -e 'let t="";process.stdin.on("data",d=>t+=d).on("end",()=>{const i=JSON.parse(t).tool_input;i.content="as the hook said";console.log(JSON.stringify({hookSpecificOutput:{hookEventName:"PreToolUse",permissionDecision:"allow",updatedInput:i}}))})'`;
    const { fired, real } = await both('update', 'PreToolUse', change);
    expect(fired).toMatchObject({ blocked: false, decision: 'allow', updatedInput: { content: 'as the hook said' } });
    expect(real.made).toBe('as the hook said');
  });

  it('Stop keeps the agent going, and the model reads why', async () => {
    const command = `grep -q '"stop_hook_active":true' && exit 0; echo 'run the tests first' >&2; exit 2`;
    const { fired, real } = await both('stop', 'Stop', command);
    expect(fired).toMatchObject({ blocked: true, decision: 'block' });
    expect(fired.reason).toContain('run the tests first');
    expect(only(real, 'hook_finished').map(({ blocked }) => blocked)).toEqual([true, false]);
    expect(real.wire).toContain(written(fired.reason));
  });

  it('UserPromptSubmit erases the prompt', async () => {
    const { fired, real } = await both('prompt', 'UserPromptSubmit', 'echo no prompts today >&2; exit 2');
    expect(fired).toMatchObject({ blocked: true, decision: 'block' });
    const ended = only(real, 'turn_ended')[0];
    expect(ended).toMatchObject({ outcome: 'failed', reason: 'blocked_by_hook' });
    expect(ended?.message).toContain('no prompts today');
    expect(real.wire).not.toContain('Go on.');
  });

  it('UserPromptSubmit adds context by what it prints', async () => {
    const { fired, real } = await both('context', 'UserPromptSubmit', 'echo the sky is green today');
    expect(fired).toMatchObject({ blocked: false, decision: 'none', additionalContext: 'the sky is green today' });
    expect(real.wire).toContain('the sky is green today');
  });

  it('a hook that runs out of time has said nothing', async () => {
    const { fired, real } = await both('late', 'PreToolUse', 'sleep 60; exit 2', { more: { timeout: 1 } });
    expect(fired).toMatchObject({ blocked: false, decision: 'timed out', outcome: 'cancelled' });
    expect(fired.milliseconds).toBeLessThan(30_000);
    expect(only(real, 'hook_finished')[0]).toMatchObject({ outcome: 'cancelled', blocked: false });
    expect(real.made).toBe('as the model said');
  });

  it('PostToolUse tells the model, and blocks nothing', async () => {
    const { fired, real } = await both('after', 'PostToolUse', 'echo look at it again >&2; exit 2');
    expect(fired).toMatchObject({ blocked: false, decision: 'feedback' });
    expect(real.made).toBe('as the model said');
    expect(real.wire).toContain('look at it again');
  });
});

describe('understudy hook', () => {
  const plugin = writePlugin(root, 'guard', {
    'hooks/hooks.json': {
      hooks: {
        PreToolUse: [
          { matcher: 'Write|Edit', hooks: [{ type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/guard.sh' }] },
          { matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 1' }] },
        ],
        SessionEnd: [
          { hooks: [{ type: 'command', command: 'test -n "$CLAUDE_PROJECT_DIR" && cd "$CLAUDE_PROJECT_DIR" && pwd' }] },
        ],
      },
    },
    'guard.sh': '#!/bin/sh\ngrep -q secret && { echo "no secrets" >&2; exit 2; }\nexit 0\n',
  });

  it('shows that a hook blocks, and why', async () => {
    const input = '{"file_path":"/x/a.txt","content":"a secret"}';
    const { code, stdout } = await runUnderstudy(['hook', plugin, 'PreToolUse', '--input', input]);
    expect(stdout).toContain('exit 2');
    expect(stdout).toContain('blocks (block)');
    expect(stdout).toContain('no secrets');
    expect(stdout).toContain('"Bash" does not cover Write');
    expect(code).toBe(0);
  });

  it('fails for a hook that ends with 1, and says that it blocks nothing', async () => {
    const { code, stdout } = await runUnderstudy(['hook', plugin, 'PreToolUse', '--tool', 'Bash']);
    expect(stdout).toContain('only exit 2 blocks');
    expect(code).toBe(1);
  });

  it('fires each hook once, with a payload that its matcher covers', async () => {
    const all = writePlugin(root, 'all', {
      'hooks/hooks.json': {
        hooks: {
          PreToolUse: [
            { matcher: 'Bash', hooks: [{ type: 'command', command: `grep -q '"command":' || exit 1` }] },
            { matcher: 'mcp__x__y', hooks: [{ type: 'command', command: `grep -q mcp__x__y || exit 1` }] },
            { matcher: 'Write', hooks: [{ type: 'command', command: 'node missing-1.js' }] },
          ],
          PostToolUse: [
            { hooks: [{ type: 'command', if: 'Bash(git push *)', command: `grep -q '"git push x"' || exit 1` }] },
            { hooks: [{ type: 'command', if: 'Write(docs/**)', command: 'grep -q docs/x || exit 1' }] },
            { matcher: 'Write', hooks: [{ type: 'command', if: 'Bash', command: 'never' }] },
          ],
          SessionStart: [{ matcher: 'resume', hooks: [{ type: 'command', command: 'grep -q resume || exit 1' }] }],
          Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }],
        },
      },
    });
    const fired = await fireEach(all);
    expect(fired.map(({ fired: { exitCode } }) => exitCode)).toEqual([0, 0, 1, 0, 0, 0]);
    const report = await firedInto(all, fired[2]?.hook);
    expect(report).toMatchObject({ ok: false, components: [{ status: 'failed' }] });
    expect(report.components[0]?.reason).toContain('it was fired by hand, and ended with exit code 1');
  });

  it('names what the CLI cannot use of what a hook said', async () => {
    const wrong = writePlugin(root, 'wrong', {
      'hooks/hooks.json': hooksFile('PreToolUse', `echo '{"decision":"deny"}'`),
    });
    const { code, stdout } = await runUnderstudy(['hook', wrong, 'PreToolUse']);
    expect(code).toBe(1);
    expect(stdout).toContain('continues: its output has no effect');
    expect(stdout).toContain('the CLI cannot use what it said: Hook JSON output validation failed — decision: Invalid');
    const [component] = (await firedInto(wrong, (await fireEach(wrong))[0]?.hook)).components;
    expect(component?.status).toBe('failed');
    expect(component?.reason).toContain('it was fired by hand, and the CLI cannot use what it said: Hook JSON');
    const later = writePlugin(root, 'later', {
      'hooks/hooks.json': hooksFile('PreToolUse', `echo '{"decision":"deny"}'`, { async: true }),
    });
    expect(await runUnderstudy(['hook', later, 'PreToolUse'])).toMatchObject({ code: 0 });
  });

  it('fires a hook where its condition holds, and says where it does not', async () => {
    const guarded = writePlugin(root, 'guarded', {
      'hooks/hooks.json': {
        hooks: { PreToolUse: [{ hooks: [{ type: 'command', if: 'Bash(git *)', command: 'exit 2' }] }] },
      },
    });
    const fire = (command: string) =>
      fireHooks({ from: guarded, event: 'PreToolUse', tool: 'Bash', toolInput: { command } });
    expect(await fire('ls && git push')).toMatchObject({ fired: [{ blocked: true }], passedOver: [] });
    expect(await fire('ls')).toMatchObject({
      fired: [],
      passedOver: [{ reason: 'its condition Bash(git *) does not hold' }],
    });
  });

  it('ends with 2 when nothing ran', async () => {
    expect(await runUnderstudy(['hook', plugin, 'PreToolUse', '--tool', 'Read'])).toMatchObject({ code: 2 });
    expect(await runUnderstudy(['hook', plugin, 'Stop'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use an event that has hooks: PreToolUse, SessionEnd.'),
    });
    expect(await runUnderstudy(['hook', plugin, 'PreTolUse'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean PreToolUse?'),
    });
  });

  it('gives one JSON document, for the hooks of a project too', async () => {
    const project = writePlugin(root, 'project', { '.claude/settings.json': hooksFile('SessionEnd', 'cat') });
    rmSync(join(project, '.claude-plugin'), { recursive: true });
    const { code, stdout } = await runUnderstudy([
      'hook',
      project,
      'SessionEnd',
      '--json',
      '--fields',
      '{"reason":"clear"}',
    ]);
    expect(code).toBe(0);
    const { fired } = JSON.parse(stdout) as { fired: FiredHook[] };
    expect(JSON.parse(fired[0]?.stdout ?? '')).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'clear' });
  });
});
