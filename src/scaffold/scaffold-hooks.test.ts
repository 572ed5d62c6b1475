import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRehearsal, sendStepsOf } from '@understudy/runner';
import { expect, it } from 'vitest';
import { scaffoldScratch } from '../../test/helpers/scaffold-scratch.js';

const scratch = scaffoldScratch();
const { put, scaffold } = scratch;
const hook = (command: string) => [{ type: 'command', command }];
const guarded = (script: string) =>
  put('hooks/hooks.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: hook(script) }] } }));

it('writes edits of one file that can follow each other, and names a hook that died', async () => {
  put(
    'hooks/hooks.json',
    JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: 'Edit', hooks: hook('true') }],
        PostToolUse: [{ matcher: 'Edit', hooks: hook('echo no disk >&2; exit 1') }],
      },
    }),
  );
  const { text, skipped } = await scaffold({ start: true });
  const edits = [...text.matchAll(/old_string = "(.*?)", new_string = "(.*?)"/g)];
  expect(edits.length).toBeGreaterThan(1);
  for (const [, old = '', fresh = ''] of edits) expect(fresh).toContain(old);
  expect(skipped.map(({ name, reason }) => `${name}: ${reason}`)).toContain(
    'hook PostToolUse: it was fired by hand, and ended with exit code 1: no disk',
  );
});

it('answers for the model that hooks ask, once for each tool, beside hooks that are commands', async () => {
  const asking = (type: string) => ({ type, prompt: 'Is it good?' });
  const hooks = {
    PreToolUse: [{ hooks: [asking('prompt')] }, { matcher: 'Bash', hooks: [asking('agent')] }],
    Stop: [{ hooks: [asking('prompt'), { type: 'command', command: 'true' }] }],
    UserPromptSubmit: [{ hooks: [asking('prompt')] }],
    PostToolUse: [{ hooks: [asking('prompt')] }],
  };
  put('hooks/hooks.json', JSON.stringify({ hooks }));
  const { sent, text } = await scaffold({ start: true });
  expect(sent.map(({ name }) => name)).toEqual([
    'the plugin loads',
    'PreToolUse asks the model about Bash, which objects',
    'Stop asks the model, which objects, and the agent goes on',
  ]);
  expect(sent[0]?.expect?.hooks).toContainEqual({ event: 'UserPromptSubmit', blocked: false });
  expect(text).toContain('PostToolUse has no step here: a rule with when = { hook = "PostToolUse" } answers it.');
});

it('has no step for a hook that asks a server, and says so', async () => {
  const url = 'http://127.0.0.1:9/judge';
  const hooks = {
    PreToolUse: [{ hooks: [{ type: 'http', url }] }],
    SessionEnd: [{ hooks: [{ type: 'http', url }] }],
    Stop: [{ hooks: [{ type: 'mcp_tool', server: 'policy', tool: 'judge' }] }],
  };
  put('hooks/hooks.json', JSON.stringify({ hooks }));
  const { sent, skipped, document } = await scaffold({ start: true });
  expect(sent.map(({ name }) => name)).toEqual(['the plugin loads']);
  expect(document.end).toBeUndefined();
  expect(skipped).toMatchObject([
    { name: 'hook PreToolUse', reason: expect.stringContaining(url), fix: expect.stringContaining('--isolation none') },
    { name: 'hook SessionEnd' },
    { name: 'hook Stop', reason: expect.stringContaining('policy/judge') },
  ]);
});

it('expects what is true of every turn of none in which the model is not asked', async () => {
  put('.claude-plugin/plugin.json', '{ "name": "kit" }');
  put('commands/off.md', '---\ndescription: Off\ncontext: fork\n---\nGo off.\n');
  put('hooks/hooks.json', JSON.stringify({ hooks: { SessionStart: [{ hooks: hook('echo Be kind.') }] } }));
  const { sent } = await scaffold({ start: true });
  expect(sent).toMatchObject([{ send: 'hello', expect: { told: { message: ['Be kind.'] } } }, { send: '/kit:off' }]);
});

it('finds what a hook lets through and what it stops, with its reason', async () => {
  const guard = 'grep -q "push --force" && { echo "Never by force." >&2; exit 2; }; exit 0';
  put('hooks/hooks.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: hook(guard) }] } }));
  const { sent, text } = await scaffold({ start: true });
  expect(sent).toMatchObject([
    { expect: { hooks: [{ event: 'PreToolUse', on: 'Bash', blocked: false }], tools: { calls: [{ status: 'ok' }] } } },
    {
      permissions: { Bash: 'deny' },
      expect: {
        hooks: [{ event: 'PreToolUse', on: 'Bash', blocked: true, reason: 'Never by force.' }],
        tools: { calls: [{ tool: 'Bash', status: 'blocked' }] },
      },
    },
  ]);
  expect(text).toContain('git push --force origin main');
});

it('says so if no input is stopped', async () => {
  put('hooks/hooks.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Read', hooks: hook('true') }] } }));
  const { sent, text } = await scaffold({ start: true });
  expect(sent).toHaveLength(1);
  expect(text).toContain('# None of the inputs that were tried for Read is stopped by the hook.');
});

it('expects the hooks that run by themselves, and what they tell the model', async () => {
  put('commands/a.md', 'Go.');
  const events = [
    'SessionStart',
    'UserPromptSubmit',
    'Stop',
    'SessionEnd',
    'PreCompact',
    'Notification',
    'PostToolUse',
  ];
  const run = [{ hooks: hook('case "$(cat)" in *SessionStart*) echo "It is late.";; esac') }];
  put('hooks/hooks.json', JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, run])) }));
  const { document, sent, text } = await scaffold({ start: true });
  expect(document.start?.expect?.hooks).toEqual([{ event: 'SessionStart' }]);
  expect(document.end?.expect?.hooks).toEqual([{ event: 'SessionEnd' }]);
  expect(sent.map(({ expect: expected }) => expected)).toMatchObject([
    { hooks: [{ event: 'UserPromptSubmit' }, { event: 'Stop' }], told: { message: ['It is late.'] } },
    { hooks: [{ event: 'PostToolUse', on: 'Bash' }] },
    { hooks: [{ event: 'PostToolUse', on: 'Write' }] },
    { hooks: [{ event: 'PreCompact', on: 'manual', blocked: false }] },
  ]);
  expect(text).toContain('# Notification has no step here. Fire it by hand: understudy hook . Notification');
});

const onMatch = (matcher: string, command = 'true') => [{ matcher, hooks: hook(command) }];

it('compacts a conversation, after a turn, for hooks that run only then', async () => {
  put('hooks/hooks.json', JSON.stringify({ hooks: { SessionStart: onMatch('compact'), PreCompact: onMatch('auto') } }));
  const { document, sent, text } = await scaffold({ start: true });
  expect(document.start?.expect?.hooks).toBeUndefined();
  expect(sent).toMatchObject([
    { send: 'hello' },
    { send: '/compact', expect: { hooks: [{ event: 'SessionStart', on: 'compact' }] } },
  ]);
  expect(text).toContain('# PreCompact on auto has no step here.');
});

it('expects a hook to stop a compaction that it stopped when it was tried', async () => {
  put('hooks/hooks.json', JSON.stringify({ hooks: { PreCompact: onMatch('', 'exit 2'), PostCompact: onMatch('') } }));
  const { sent } = await scaffold({ start: true });
  expect(sent.at(-1)).toMatchObject({ expect: { hooks: [{ event: 'PreCompact', blocked: true }] } });
});

it('lets a subagent work for hooks around it, where one is there that they want', async () => {
  put(
    'hooks/hooks.json',
    JSON.stringify({ hooks: { SubagentStart: onMatch('Explore'), SubagentStop: onMatch('mine') } }),
  );
  const { sent, text } = await scaffold({ start: true });
  expect(sent).toMatchObject([{ expect: { subagents: ['Explore'], hooks: [{ event: 'SubagentStart' }] } }]);
  expect(text).toContain('# SubagentStop on mine has no step here.');
});

it('answers a Stop hook that does not let the agent stop', async () => {
  const stop = 'grep -q \'"stop_hook_active":true\' || { echo "Run the tests." >&2; exit 2; }';
  put('hooks/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: hook(stop) }] } }));
  const { document } = await scaffold({ start: true });
  expect(document.responses?.map(({ pattern }) => pattern)).toMatchObject([
    { text: 'hello' },
    { type: 'contains', text: 'Run the tests.' },
  ]);
});

it('has an answer for a Stop hook that stops the agent only in a state that it has not seen', async () => {
  const stop = '[ ! -f loop.md ] || { cat loop.md >&2; exit 2; }';
  put('hooks/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: hook(stop) }] } }));
  const { document } = await scaffold({ start: true });
  expect(document.responses).toMatchObject([
    { pattern: { text: 'hello' } },
    { pattern: { type: 'contains', text: 'Stop hook feedback:' }, optional: true },
  ]);
});

it.each(['async', 'asyncRewake'])('expects no hook that the CLI does not wait for: %s', async (field) => {
  const aside = [{ hooks: [{ type: 'command', command: 'true', [field]: true }] }];
  put('hooks/hooks.json', JSON.stringify({ hooks: { Stop: aside, SessionStart: aside, PostToolUse: aside } }));
  const { document, sent, text } = await scaffold({ start: true });
  expect(document.start).toBeUndefined();
  expect(sent).toMatchObject([{ send: 'hello', expect: { plugins: [expect.any(String)] } }]);
  expect(sent[0]?.expect).not.toHaveProperty('hooks');
  expect(text).toContain('# Stop has no step here: the CLI does not wait for its hook.');
});

it('starts no hooks and servers if it must not', async () => {
  put('hooks/hooks.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: hook('touch ran') }] } }));
  put('.mcp.json', JSON.stringify({ mcpServers: { sky: { command: 'touch', args: [join(scratch.path, 'ran')] } } }));
  const { sent, text } = await scaffold({ start: false });
  expect(sent).toMatchObject([{ expect: { mcp_servers: ['sky'] } }]);
  expect(text).toContain('# PreToolUse on Bash has no step here.');
  expect(existsSync(join(scratch.path, 'ran'))).toBe(false);
});

it('says which commands a guard names that were not tried, and begins a step for them as a comment', async () => {
  guarded("grep -qE 'terraform\\s+(apply|destroy)|kubectl drain' && { echo no >&2; exit 1; }; exit 0");
  const { skipped, text, file } = await scaffold({ start: true });
  expect(skipped).toMatchObject([
    {
      name: 'hook PreToolUse on Bash',
      reason: expect.stringMatching(
        /none of the inputs .* was stopped; it names terraform apply, kubectl drain, not tried/,
      ),
    },
    { name: 'hook PreToolUse', reason: 'it was fired by hand, and ended with exit code 1: no' },
  ]);
  const begun = text.slice(text.indexOf('# [[responses]]')).replace(/^# /gm, '');
  writeFileSync(file, `${text}${begun}`);
  const { document, warnings } = loadRehearsal(file);
  expect(warnings).toEqual([]);
  expect(sendStepsOf(document).at(-1)).toMatchObject({ permissions: { Bash: 'deny' } });
  expect(JSON.stringify(document.responses?.at(-1))).toContain('terraform apply');
});

it('tells of no untried input where a hook only looks, or stops what it names', async () => {
  guarded('cat > /dev/null; echo seen >> "$CLAUDE_PROJECT_DIR/log"');
  expect((await scaffold({ start: true })).skipped).toEqual([]);
  guarded('grep -q "terraform destroy" && exit 2; exit 0');
  rmSync(join(scratch.path, 'rehearsals'), { recursive: true });
  expect((await scaffold({ start: true })).skipped).toEqual([]);
});

it('expects no block that depends on what was tried before', async () => {
  guarded('n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; [ "$n" -lt 3 ] || exit 2');
  const { skipped, sent } = await scaffold({ start: true });
  expect(sent.map(({ name }) => name)).toEqual(['PreToolUse lets a harmless Bash through']);
  expect(skipped[0]).toMatchObject({ reason: expect.stringContaining('not again in a new project') });
});

it('expects what a Stop hook did when it was tried, and tells where it did not', async () => {
  const stops = (script: string) =>
    put('hooks/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: hook(script) }] } }));
  stops('grep -q \'"stop_hook_active":true\' && exit 0; echo "Go on, please." >&2; exit 2');
  const first = await scaffold({ start: true });
  expect([first.sent[0]?.expect?.hooks, first.skipped]).toEqual([[{ event: 'Stop', blocked: true }], []]);
  rmSync(join(scratch.path, 'rehearsals'), { recursive: true });
  stops('[ ! -f loop.md ] || exit 2');
  const second = await scaffold({ start: true });
  expect(second.sent[0]?.expect?.hooks).toEqual([{ event: 'Stop' }]);
  expect(second.skipped).toMatchObject([{ name: 'hook Stop', fix: expect.stringContaining('blocked = true') }]);
});

it('knows how the CLI writes what a hook says', async () => {
  const says = hook('echo "<system-reminder>Be kind.</system-reminder>"');
  put('hooks/hooks.json', JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: says }] } }));
  const { sent } = await scaffold({ start: true });
  expect(sent[0]?.expect?.told).toEqual({ message: ['&lt;system-reminder>Be kind.&lt;/system-reminder>'] });
});
