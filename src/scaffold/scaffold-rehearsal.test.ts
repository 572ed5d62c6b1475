import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadRehearsal } from '@understudy/runner';
import { expect, it } from 'vitest';
import { scaffoldScratch } from '../../test/helpers/scaffold-scratch.js';
import { scaffoldFolder } from './scaffold-folder.js';
import { scaffoldRehearsal } from './scaffold-rehearsal.js';

const scratch = scaffoldScratch();
const { put, scaffold } = scratch;
const read = (path: string) => readFileSync(join(scratch.path, path), 'utf8');
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
