import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { loadRehearsal, sendStepsOf } from '@understudy/runner';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scaffoldFolder } from './scaffold-folder.js';
import { scaffoldRehearsal } from './scaffold-rehearsal.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('scaffold');
});
afterEach(() => scratch.remove());

function put(path: string, text: string): void {
  const file = join(scratch.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const read = (path: string) => readFileSync(join(scratch.path, path), 'utf8');

/** Scaffolds, and loads what was written: it must be without warnings. */
async function scaffold({ start = false } = {}) {
  const scaffolded = await scaffoldRehearsal(scratch.path, { start });
  const { document, warnings } = loadRehearsal(scaffolded.file);
  expect(warnings).toEqual([]);
  return { ...scaffolded, document, sent: sendStepsOf(document), text: readFileSync(scaffolded.file, 'utf8') };
}

const hook = (command: string) => [{ type: 'command', command }];

it('writes a step for each command, and the loader accepts it', async () => {
  put('.claude-plugin/plugin.json', '{ "name": "hello" }');
  put('commands/greet.md', '---\ndescription: Greet\n---\nGreet $ARGUMENTS.\n\nBe "friendly".\n');
  put('commands/deep/part.md', 'Say goodbye.\n');
  const { file, commands, written, document } = await scaffold();
  expect(file).toBe(join(scratch.path, 'rehearsals/hello.rehearsal.toml'));
  expect(commands).toEqual(['hello:deep:part', 'hello:greet']);
  expect(written).toEqual([file, join(scratch.path, '.gitignore')]);
  expect(document.steps).toEqual([
    {
      name: '/hello:deep:part expands',
      send: '/hello:deep:part',
      expect: { command: { name: 'hello:deep:part', expands_to: 'Say goodbye.' }, plugins: ['hello'] },
    },
    {
      name: '/hello:greet expands with its arguments',
      send: '/hello:greet the example',
      expect: { command: { name: 'hello:greet', expands_to: 'Greet the example.' } },
    },
  ]);
  expect(document.responses?.map(({ pattern }) => pattern)).toEqual([
    { type: 'command', name: 'hello:deep:part' },
    { type: 'command', name: 'hello:greet' },
  ]);
});

it('sends no arguments to a program that needs none', async () => {
  const run = '```!\n./stop.sh "$ARGUMENTS"\n```\nIt is over.\n';
  put('commands/a.md', `---\nargument-hint: "[SESSION_ID]"\n---\n${run}`);
  put('commands/b.md', `---\nargument-hint: PROMPT [--fast]\n---\n${run}`);
  put('commands/c.md', `---\nargument-hint: "[topic]"\n---\nAbout $ARGUMENTS.\n`);
  const { sent } = await scaffold();
  expect(sent.map(({ send = '' }) => send.replace(/^\S+/, ''))).toEqual(['', ' the example', ' the example']);
});

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

it('does not take a line with arguments that has other parts that change', async () => {
  put('commands/a.md', 'Compare $ARGUMENTS with @README.md.\nRun !`ls` for $ARGUMENTS[0].\nSay so.\n');
  const { sent } = await scaffold();
  expect(sent[0]?.expect?.command).toMatchObject({ expands_to: 'Say so.' });
});

it('lets the model load a skill, and types one that is hidden from it', async () => {
  put('.claude-plugin/plugin.json', '{ "name": "kit" }');
  put('skills/look/SKILL.md', '---\nname: look\ndescription: |\n  Looks first\n  and last\n---\nRead the tests.\n');
  put('skills/tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies\ndisable-model-invocation: true\n---\nTidy up.\n');
  const { sent } = await scaffold();
  expect(sent).toMatchObject([
    { send: '/kit:tidy', expect: { command: { name: 'kit:tidy', expands_to: 'Tidy up.' }, skills: ['kit:tidy'] } },
    {
      send: 'Use the skill look.',
      expect: { skills: ['kit:look'], told: { system: 'kit:look: Looks first', message: 'Read the tests.' } },
    },
  ]);
});

it('expects a description as the CLI tells it', async () => {
  put('.claude-plugin/plugin.json', '{ "name": "kit" }');
  put('skills/turn/SKILL.md', '---\nname: turn\ndescription: Turns a -> b & <c>\n---\nTurn it.\n');
  put('skills/upside/SKILL.md', '---\nname: down\ndescription: Upside down\n---\nTurn it over.\n');
  const { sent } = await scaffold();
  expect(sent.map((step) => step.expect?.told?.system)).toEqual([
    'kit:turn: Turns a -&gt; b & &lt;c&gt;',
    'Upside down',
  ]);
});

it('lets a subagent answer for what works in one', async () => {
  put('.claude-plugin/plugin.json', '{ "name": "kit" }');
  put('skills/far/SKILL.md', '---\nname: far\ndescription: Far\ncontext: fork\n---\nGo away with $ARGUMENTS.\n');
  put('commands/off.md', '---\ndescription: Off\ncontext: fork\n---\nGo off.\n');
  put('skills/vague/SKILL.md', '---\nname: vague\ndescription: Vague\ncontext: fork\n---\n!`date`\n');
  const { sent, skipped } = await scaffold();
  expect(sent).toMatchObject([
    { send: '/kit:off', expect: { says: 'Done with kit:off.', command: { name: 'kit:off', expands_to: 'Go off.' } } },
    {
      send: 'Use the skill far.',
      expect: { skills: ['kit:far'], told: { system: 'kit:far: Far', message: 'far is done.' } },
    },
  ]);
  expect(skipped).toMatchObject([{ name: 'skill vague', reason: expect.stringContaining('subagent') }]);
});

it('starts an agent, and expects its prompt, its tools, and no other tools', async () => {
  put('.claude-plugin/plugin.json', '{ "name": "kit" }');
  put(
    'agents/helper.md',
    '---\nname: helper\ndescription: Helps\ntools: Read, Workflow, Bash(git *), NoSuch\n---\nBe short.\n',
  );
  put('agents/free.md', '---\nname: free\ndescription: Free\n---\nBe long.\n');
  const { sent } = await scaffold();
  expect(sent.map(({ expect: expected }) => expected)).toMatchObject([
    { subagents: ['kit:free'], told: { agent: 'kit:free', system: 'Be long.' } },
    {
      subagents: ['kit:helper'],
      told: { agent: 'kit:helper', system: 'Be short.', tools: ['Read', 'Bash'] },
      told_not: { agent: 'kit:helper', tools: ['Write', 'Edit'] },
    },
  ]);
  expect(sent[0]?.expect).not.toHaveProperty('told_not');
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
  expect(text).toContain('# Notification has no step here. Fire it by hand: understudy hook fire . Notification');
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

it('leaves out a server of another machine, and tells of one that does not come up', async () => {
  put('.claude-plugin/plugin.json', '{ "name": "kit" }');
  const far = { type: 'http', url: 'https://mcp.example.com/' };
  put('.mcp.json', JSON.stringify({ mcpServers: { far, dead: { command: 'false' } } }));
  const { document, skipped, sent } = await scaffold({ start: true });
  expect(document.mcp).toEqual({ far: { absent: true } });
  expect(skipped).toMatchObject([{ name: 'server dead', reason: expect.stringContaining('did not come up') }]);
  expect(sent).toMatchObject([{ expect: { mcp_servers: ['dead'] } }]);
});

it('starts a server with the folders that the CLI gives it', async () => {
  const args = ['-c', 'echo "in $0" >&2; exit 1', '${CLAUDE_PROJECT_DIR}'];
  put('.mcp.json', JSON.stringify({ mcpServers: { files: { command: 'sh', args } } }));
  const { skipped } = await scaffold({ start: true });
  expect(skipped).toMatchObject([{ name: 'server files', reason: expect.stringMatching(/it wrote: in \/[^$]+$/) }]);
});

it('names the schema for editors: the installed one, else the one of this version', async () => {
  put('commands/a.md', 'Go.');
  const first = async () => {
    const { file } = await scaffoldRehearsal(scratch.path, { force: true, version: '1.2.3' });
    return readFileSync(file, 'utf8').split('\n')[0];
  };
  expect(await first()).toBe('#:schema https://unpkg.com/agent-understudy@1.2.3/schema/rehearsal.schema.json');
  put('node_modules/agent-understudy/schema/rehearsal.schema.json', '{}');
  expect(await first()).toBe('#:schema ../node_modules/agent-understudy/schema/rehearsal.schema.json');
});

it('tells of parts that load and do not work', async () => {
  put('skills/look/SKILL.md', '---\nname: look\ndescription: Looks\nNever closed.\n');
  const { skipped } = await scaffoldRehearsal(scratch.path);
  expect(skipped).toMatchObject([{ name: 'skill look', reason: expect.stringContaining('never closed') }]);
});

it('writes valid TOML for names with quotes, line breaks and control characters', async () => {
  put('.claude-plugin/plugin.json', JSON.stringify({ name: 'a"b' }));
  put('commands/x.md', 'Say "\u007F" and {{this}}.\n');
  const run = [{ matcher: 'Odd\n[[steps]]', hooks: hook('true') }];
  put('hooks/hooks.json', JSON.stringify({ hooks: { PreToolUse: run } }));
  const { sent, text } = await scaffold();
  expect(sent).toHaveLength(1);
  expect(text).toContain('# PreToolUse on Odd [[steps]] has no step here.');
});

it('overwrites only with --force', async () => {
  put('commands/a.md', 'Go.');
  const { file } = await scaffoldRehearsal(scratch.path);
  writeFileSync(file, 'mine');
  await expect(scaffoldRehearsal(scratch.path)).rejects.toThrow(expect.objectContaining({ code: 'SCAFFOLD_EXISTS' }));
  expect(readFileSync(file, 'utf8')).toBe('mine');
  await scaffoldRehearsal(scratch.path, { force: true });
  expect(readFileSync(file, 'utf8')).toContain('[[steps]]');
});

it.each([
  ['', '.understudy/\n', true],
  ['dist', 'dist\n.understudy/\n', true],
  ['/.understudy\n', '/.understudy\n', false],
])('adds the artifacts folder to .gitignore: %j becomes %j', async (before, after, isWritten) => {
  put('commands/a.md', 'Go.');
  if (before !== '') put('.gitignore', before);
  expect((await scaffoldRehearsal(scratch.path)).written).toHaveLength(isWritten ? 2 : 1);
  expect(read('.gitignore')).toBe(after);
});

it('refuses a folder without a plugin, and does not change it', async () => {
  await expect(scaffoldRehearsal(scratch.path)).rejects.toThrow(
    expect.objectContaining({ code: 'SCAFFOLD_NO_PLUGIN' }),
  );
  expect(existsSync(join(scratch.path, 'rehearsals'))).toBe(false);
});

it('writes one rehearsal for each plugin of a marketplace, by its name', async () => {
  const plugins = [
    { name: 'one', source: './plugins/one' },
    { name: 'two', source: './plugins/two' },
    { name: 'three', source: './', skills: ['./skills/a'] },
    { name: 'far', source: { source: 'github', repo: 'nobody/far' } },
    { name: 'bad', source: './plugins/bad' },
  ];
  put('.claude-plugin/marketplace.json', JSON.stringify({ name: 'shelf', owner: { name: 'nobody' }, plugins }));
  put('skills/a/SKILL.md', '---\nname: a\ndescription: A\n---\nGo.\n');
  for (const name of ['one', 'two']) {
    put(`plugins/${name}/.claude-plugin/plugin.json`, JSON.stringify({ name: `the-${name}` }));
    put(`plugins/${name}/commands/go.md`, `Go to ${name}.\n`);
  }
  put('plugins/bad/.claude-plugin/plugin.json', '{ "name": ');
  const { rehearsals, skipped } = await scaffoldFolder(scratch.path, { start: false });
  expect(rehearsals.map(({ plugin, file }) => [plugin, file])).toEqual(
    ['one', 'two'].map((name) => [`the-${name}`, join(scratch.path, `rehearsals/the-${name}.rehearsal.toml`)]),
  );
  const { document } = loadRehearsal(rehearsals[1]?.file ?? '');
  expect(document.plugins).toEqual(['../plugins/two']);
  expect(skipped).toMatchObject([
    { name: 'three', reason: expect.stringContaining('stands in the marketplace alone') },
    { name: 'far', reason: expect.stringContaining('outside this machine') },
    { name: 'bad', reason: expect.stringContaining('plugin.json cannot be read') },
  ]);
});

it('writes the rehearsal of a plugin that is a marketplace at once, and offers itself', async () => {
  const plugins = [{ name: 'me', source: './' }];
  put('.claude-plugin/marketplace.json', JSON.stringify({ name: 'shelf', owner: { name: 'nobody' }, plugins }));
  put('.claude-plugin/plugin.json', '{ "name": "me" }');
  put('commands/go.md', 'Go.\n');
  const { rehearsals, skipped } = await scaffoldFolder(scratch.path, { start: false });
  expect([rehearsals.map(({ plugin }) => plugin), skipped]).toEqual([['me'], []]);
});

const guarded = (script: string) =>
  put('hooks/hooks.json', JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: hook(script) }] } }));

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

it('refuses a plugin whose manifest is broken', async () => {
  put('.claude-plugin/plugin.json', '{ "name": ');
  await expect(scaffoldRehearsal(scratch.path)).rejects.toThrow(
    expect.objectContaining({ code: 'SCAFFOLD_BROKEN_PLUGIN' }),
  );
});

it('skips sim where the stand-in cannot play a step, and says why', async () => {
  put('commands/refs.md', '---\ndescription: Refs\n---\nAll refs are here.\n\n!`git for-each-ref --format=x`\n');
  const { document } = await scaffold();
  expect(document.skip).toEqual({ sim: 'the stand-in refuses a line that commands/refs.md runs' });
});
