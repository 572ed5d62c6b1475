import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, type TestContext } from 'vitest';
import { toScenario } from '../../packages/script/src/load.js';
import { startModelServer } from '../../src/public/model-server.js';
import { scriptedCli } from '../helpers/scripted-cli.js';

async function setUp(document: unknown, context: TestContext) {
  const server = await startModelServer({ scenario: toScenario({ value: document }) });
  onTestFinished(() => server.close());
  return { server, cli: await scriptedCli('claude', server, context) };
}

const delegate = (background: boolean) => ({
  responses: [
    {
      pattern: { type: 'contains', text: 'delegate' },
      response: {
        tool_calls: [
          {
            tool: 'Agent',
            input: {
              description: 'look',
              subagent_type: 'Explore',
              prompt: 'Look around the house.',
              run_in_background: background,
            },
          },
        ],
        then: [
          { expect: { type: 'contains', text: 'three rooms' }, response: 'The explorer found three rooms.' },
          { response: 'It is on its way.' },
        ],
      },
    },
    {
      pattern: { type: 'any' },
      when: { agent: 'Explore' },
      response: {
        text: 'I see three rooms.',
        tool_calls: [{ tool: 'shell', input: { command: 'echo seen > seen.txt' } }],
      },
    },
  ],
});

it('keeps a subagent apart from the agent that waits for it, and lets rules address it', async (context) => {
  const { server, cli } = await setUp(delegate(false), context);
  const run = await cli.run('delegate this');
  expect(run.text, run.stderr).toBe('The explorer found three rooms.');
  expect(readFileSync(join(cli.folder, 'seen.txt'), 'utf8')).toBe('seen\n');
  expect(server.journal.entries().map(({ agent, prompt }) => [agent, prompt])).toEqual([
    [undefined, 'delegate this'],
    ['Explore', 'Look around the house.'],
    ['Explore', undefined],
    [undefined, undefined],
  ]);
  expect(server.script.usage.unused()).toEqual([]);
});

it('takes the news of a background subagent for what it is: not a prompt', async (context) => {
  const { server, cli } = await setUp(delegate(true), context);
  const run = await cli.run('delegate this');
  expect(run.code, run.stderr).toBe(0);
  expect(server.journal.entries({ kind: 'auxiliary' })).toMatchObject([{ auxiliary: 'notification' }]);
  expect(server.journal.entries({ kind: 'unanswered' })).toEqual([]);
  expect(server.script.usage.unused()).toEqual([]);
});

it('matches a slash command by its name and by what it expands to', async (context) => {
  const { server, cli } = await setUp(
    {
      responses: [
        {
          pattern: { type: 'command', name: 'explore', args: { type: 'contains', text: 'db' } },
          response: 'By name, with {{args}}.',
        },
        { pattern: { type: 'contains', text: 'Systematically investigate' }, response: 'By text.' },
      ],
    },
    context,
  );
  mkdirSync(join(cli.folder, '.claude/commands'), { recursive: true });
  writeFileSync(join(cli.folder, '.claude/commands/explore.md'), 'Systematically investigate $ARGUMENTS\n');
  expect((await cli.run('/explore the db layer')).text).toBe('By name, with the db layer.');
  expect((await cli.run('/explore the rest')).text).toBe('By text.');
  expect(server.journal.entries({ kind: 'answer' })[1]).toMatchObject({
    prompt: 'Systematically investigate the rest',
    command: { name: 'explore', args: 'the rest' },
  });
});

it('answers the next prompt of a session, not the one that failed before it', async (context) => {
  const { server, cli } = await setUp(
    {
      responses: [
        { pattern: { type: 'exact', text: 'first' }, failure: { type: 'forbidden' } },
        { pattern: { type: 'exact', text: 'second\nin two parts' }, response: 'Second.' },
        { pattern: { type: 'exact', text: 'third' }, response: 'Third.' },
      ],
    },
    context,
  );
  const message = (content: unknown) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
  const parts = [
    { type: 'text', text: 'second' },
    { type: 'text', text: 'in two parts' },
  ];
  const run = await cli.talk([message('first'), message(parts), message('third')]);
  const results = run.stdout
    .split('\n')
    .flatMap((line) => (line.includes('"type":"result"') ? [JSON.parse(line).result] : []));
  expect(results).toEqual([expect.stringContaining('403'), 'Second.', 'Third.']);
  expect(server.conversations.all()).toHaveLength(1);
});

it('says what the tool is called, and what there is, when the agent has no such tool', async (context) => {
  const { server, cli } = await setUp(
    { responses: [{ pattern: { type: 'any' }, response: { tool_calls: [{ tool: 'Teleport', input: {} }] } }] },
    context,
  );
  const run = await cli.run('go');
  expect(run.text).toMatch(
    /responses\[0\] calls the tool "Teleport", which this request does not offer\. Use one of the tools that it offers: .*Bash.*Write/,
  );
  expect(server.journal.entries({ kind: 'unanswered' })).toHaveLength(1);
});

it('lets every generic tool run, where the agent has one of its own and where it has none', async (context) => {
  const call = (tool: string, input: unknown) => ({ tool, input });
  const { cli } = await setUp(
    {
      responses: [
        {
          pattern: { type: 'any' },
          response: {
            tool_calls: [call('write', { path: 'src/a.txt', content: 'one\ntwo\n' })],
            then: {
              tool_calls: [
                call('read', { path: 'src/a.txt' }),
                call('edit', { path: 'src/a.txt', old: 'two', new: 'three' }),
              ],
              then: {
                tool_calls: [call('glob', { pattern: '**/*.txt' }), call('grep', { pattern: 'thr.e', path: 'src' })],
                then: {
                  text: 'Results: {{results}}',
                  tool_calls: [call('shell', { command: 'cp src/a.txt copy.txt' })],
                  then: 'Done.',
                },
              },
            },
          },
        },
      ],
    },
    context,
  );
  const run = await cli.run('use everything', { args: ['--verbose', '--output-format', 'stream-json'] });
  expect(run.text, run.stderr).toBe('Done.');
  expect(readFileSync(join(cli.folder, 'copy.txt'), 'utf8')).toBe('one\nthree\n');
  expect(run.stdout).toMatch(/Results: .*src\/a\.txt\\n.*a\.txt:2:three/);
});

it('keeps eight sessions apart that run at once', async (context) => {
  const { server } = await setUp(
    {
      responses: [
        {
          pattern: { type: 'regex', pattern: 'number (\\d)' },
          response: {
            text: 'This is {{1}}.',
            tool_calls: [{ tool: 'write', input: { path: 'mine-{{1}}.txt', content: '{{1}}' } }],
          },
        },
      ],
    },
    context,
  );
  await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const cli = await scriptedCli('claude', server, context);
      const run = await cli.run(`you are number ${index}`);
      expect(run.text, run.stderr).toBe(`This is ${index}.`);
      expect(existsSync(join(cli.folder, `mine-${index}.txt`))).toBe(true);
    }),
  );
  expect(server.conversations.all()).toHaveLength(8);
  expect(server.journal.entries({ kind: 'answer' })).toHaveLength(16);
});
