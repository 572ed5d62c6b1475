import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { runInlineTests, writeInlineFiles } from '../helpers/run-inline-tests.js';
import { writeSamplePlugin } from '../helpers/sample-plugin.js';
import { makesLongProofs } from '../helpers/seeded.js';
import { runProgram } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('inline');
});
afterEach(() => scratch.remove());

const HEAD = `
import { Conversation, describe, expect, test } from 'agent-understudy/vitest';
import { appendFileSync, readdirSync } from 'node:fs';
const hello = { responses: [{ pattern: { type: 'contains', text: 'hello' }, response: 'A plan: greet back.' }] };
test.override({ stage: 'sim', scenario: hello });
`;

/** Runs a test file with a temp folder of its own, and tells what was left in it. */
async function runAlone(files: Record<string, string>, config = '') {
  const tmp = join(scratch.path, 'tmp');
  mkdirSync(tmp, { recursive: true });
  const folder = join(scratch.path, 'tests');
  const run = await runInlineTests(folder, files, { config, env: { TMPDIR: tmp } });
  const left = () => readdirSync(tmp).filter((name) => name.startsWith('understudy-'));
  return { ...run, folder, left };
}

it('gives a test an agent, a project, a plugin and options that can be overridden', async () => {
  writeSamplePlugin(join(scratch.path, 'tests'));
  const { tests, output, left } = await runAlone({
    'a.test.ts': `${HEAD}
test.override({ project: { type: 'cli', language: 'python', git: true }, plugins: ['./sampler'] });
test('works in the project', async ({ conversation, files }) => {
  expect(await conversation.send('hello')).toMeet({ keywords: { any: ['plan'] } });
  expect(conversation.cwd).toBe(files.folder);
  expect(await files.commits()).toHaveLength(1);
});
describe('with another scenario', () => {
  test.override({ scenario: { default_response: 'Something else.' } });
  test('says something else', async ({ conversation }) => {
    expect(await conversation.send('hello')).not.toMeet({ keywords: { any: ['plan'] } });
  });
});
test.extend({ scenario: { default_response: 'Extended.' } })('can be extended', async ({ conversation }) => {
  expect((await conversation.send('hello')).text).toBe('Extended.');
});
describe('a plugin of its own', () => {
  test.override({ scenario: { responses: [{ pattern: { type: 'command', name: 'explore' }, response: 'Fine.' }] } });
  test('knows its commands', async ({ conversation, plugin }) => {
    expect(plugin.name).toBe('sampler');
    expect(plugin.commands).toEqual(['code', 'commit', 'explore', 'plan']);
    expect(await conversation.send('/explore it')).toMeet({ command: { name: 'explore' } });
  });
  test.override({ allowUnused: true, allowUnanswered: true });
  test('may break a copy of it', async ({ harness, plugin }) => {
    plugin.rename('commands/explore.md', 'commands/wander.md');
    const conversation = await harness.start({ plugins: [plugin.folder] });
    expect(await conversation.send('/explore it')).not.toMeet({ command: { name: 'explore' } });
  });
});
`,
  });
  expect(
    tests.map(({ title, status, message }) => `${status} ${title}${message}`),
    output,
  ).toEqual([
    'passed works in the project',
    'passed with another scenario says something else',
    'passed can be extended',
    'passed a plugin of its own knows its commands',
    'passed a plugin of its own may break a copy of it',
  ]);
  expect(left()).toEqual([]);
});

it('fails a test that does not follow its script, unless that is allowed', async () => {
  const { tests } = await runAlone({
    'a.test.ts': `${HEAD}
test('says nothing', async ({ conversation }) => {});
test('says something unknown', async ({ conversation }) => { await conversation.send('hello'); await conversation.send('what?'); });
describe('allowed', () => {
  test.override({ allowUnused: true, allowUnanswered: true });
  test('says nothing', async ({ conversation }) => {});
});
test('fails anyway', async ({ conversation }) => { expect(1).toBe(2); });
test('fails after something unknown', async ({ conversation }) => { expect((await conversation.send('what?')).text).toBe('2'); });
`,
  });
  expect(tests.map(({ status }) => status)).toEqual(['failed', 'failed', 'passed', 'failed', 'failed']);
  expect(tests[0]?.message).toContain('responses[0] never did');
  expect(tests[1]?.message).toContain('every request is answered');
  // A test that failed by itself did not get to the rest of its script.
  expect(tests[3]?.messages).toHaveLength(1);
  // What nothing answered may be why it failed.
  expect(tests[1]?.messages).toHaveLength(1);
  expect(tests[4]?.messages).toHaveLength(2);
  expect(tests[4]?.message).toContain('every request is answered');
  expect(tests[4]?.message).not.toContain('never did');
});

it('says everything about an error of the harness, and nothing about our own code', async () => {
  const { tests, output } = await runAlone({
    'a.test.ts': `${HEAD}
describe('a scenario with problems', () => {
  test.override({ scenario: './bad.toml' });
  test('is told', async ({ conversation }) => {});
});
test('a plugin that is missing', async ({ harness }) => { harness.plugin('./nowhere'); });
test('a conversation that has ended', async ({ conversation }) => {
  await conversation.send('hello');
  await conversation.end();
  await conversation.send('more');
});
test('a matcher that gets no turn', async ({ conversation }) => {
  await conversation.send('hello');
  expect('hello').toMeet({ keywords: { any: ['plan'] } });
});
test('a conversation of its own', async () => { await Conversation.start({ stage: 'sim' }); });
test('a path out of the project', async ({ conversation, files }) => { await conversation.send('hello'); files.read('../x'); });
`,
    'bad.toml': '[[responses]]\npattern = { type = "contain", text = "hi" }\nresponse = "x"\nmax_match = 1\n',
  });
  const messages = tests.map(({ message }) => message);
  expect(messages[0], output).toMatch(/SCENARIO_INVALID: .*bad\.toml has 2 problems/);
  expect(messages[0]).toMatch(/bad\.toml:2:\d+ .*\[\w+\]\n(?: .*\n)*? +.*2 \| pattern/);
  expect(messages[0]).toMatch(/fix: .*max_matches/);
  for (const [index, [code, fix]] of [
    ['FOLDER_NOT_FOUND', 'Check the path'],
    ['CONVERSATION_ENDED', ''],
    ['NOT_A_TURN', 'Give it what `conversation.send'],
    ['SCENARIO_MISSING', 'Give `scenario`'],
    ['WORKSPACE_PATH_REFUSED', ''],
  ].entries()) {
    expect(messages[index + 1]).toMatch(new RegExp(`^HarnessError: ${code}: .*\nfix: ${fix}`));
  }
  for (const message of messages) expect(message).not.toContain(resolve('dist'));
});

it('clears up after a test that fails, throws or takes too long', async () => {
  const { tests, folder, left } = await runAlone({
    'a.test.ts': `${HEAD}
const note = (conversation) => appendFileSync('pids', conversation.pid + '\\n');
test('fails', async ({ conversation }) => { note(conversation); expect(await conversation.send('hello')).toMeet({ keywords: { any: ['bicycle'] } }); });
test('throws', async ({ harness, conversation }) => { note(conversation); note(await harness.start()); throw new Error('oh'); });
test('takes too long', async ({ conversation }) => { note(conversation); await new Promise(() => {}); }, 1500);
describe('in the middle of a tool', () => {
  const calls = [{ tool: 'Bash', input: { command: 'tail -f /dev/null' } }];
  test.override({ scenario: { default_response: { text: 'Done.', tool_calls: calls } } });
  test('takes too long', async ({ conversation }) => { note(conversation); await conversation.send('hello'); }, 2500);
});
`,
  });
  expect(tests.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed']);
  expect(tests[0]?.message).toContain('expect(turn 1).toMeet');
  const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n');
  expect(tests[2]?.message).toContain('no prompt was sent');
  expect(tests[3]?.message).toMatch(
    /the conversation so far:\s+turn 1\n\s+> hello\n\s+• Bash {"command":"tail -f \/dev\/null"}/,
  );
  // A conversation that is asked to end politely waits for its tool, ten seconds long.
  expect(tests[3]?.milliseconds).toBeLessThan(8_000);
  expect(pids).toHaveLength(5);
  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  expect(left()).toEqual([]);
});

if (makesLongProofs)
  it('runs files side by side on the real Claude Code, which the global set-up fetches', async (context) => {
    await realAgent('claude', context);
    const file = (word: string) => `${HEAD.replace("stage: 'sim'", "stage: 'scripted'")}
test('${word}', async ({ conversation, files }) => {
  files.write('${word}.txt', '${word}');
  const turn = await conversation.send('hello ${word}');
  expect(turn).toMeet({ keywords: { all: ['plan', 'greet'] } });
  expect(conversation.turns).toHaveLength(1);
  expect(readdirSync(files.folder)).toEqual(['${word}.txt']);
});
`;
    const config = "globalSetup: ['agent-understudy/vitest/setup'], provide: { agents: ['claude'] },";
    const { tests, output, left } = await runAlone({ 'a.test.ts': file('one'), 'b.test.ts': file('two') }, config);
    expect(
      tests.map(({ status, message }) => status + message),
      output,
    ).toEqual(['passed', 'passed']);
    expect(left()).toEqual([]);
  }, 90_000);

if (makesLongProofs)
  it('holds a conversation against a snapshot without folders, ids and times', async () => {
    const test = (answer: string) => `${HEAD.replace('A plan: greet back.', answer)}
test('stays the same', async ({ conversation }) => {
  const turn = await conversation.send('hello in ' + conversation.cwd);
  expect(turn).toMatchConversationSnapshot();
  expect(conversation).toMatchConversationSnapshot('all of it');
});
`;
    const { tests, folder } = await runAlone({ 'a.test.ts': test('Hi.') });
    expect(tests.map(({ message }) => message)).toEqual(['']);
    const stored = readFileSync(join(folder, '__snapshots__/a.test.ts.snap'), 'utf8');
    expect(stored).toContain('> hello in <project>\nHi.\n= completed');
    expect((await runAlone({ 'a.test.ts': test('Hi.') })).tests).toMatchObject([{ status: 'passed' }]);
    const changed = await runAlone({ 'a.test.ts': test('Ho.') });
    expect(changed.tests).toMatchObject([{ status: 'failed', message: expect.stringContaining('Snapshot') }]);
  });

it('refuses matchers that could not look: not is no way around them', async () => {
  const { tests } = await runAlone({
    'a.test.ts': `${HEAD}
test.override({ allowUnused: true });
test('no workflow', async ({ conversation }) => { expect(await conversation.send('hello')).not.toMeet({ workflow: 'planning' }); });
test('nothing said', async ({ conversation }) => { expect(conversation).not.toMeet({ tools: { any: ['Bash'] } }); });
test('not awaited', async ({ conversation }) => { expect(conversation.send('hello')).toMeet({ says: 'x' }); });
test('asks nothing', async ({ conversation }) => { expect(await conversation.send('hello')).toMeet({ tools: {} }); });
test('no plugin', async ({ plugin }) => {});
`,
  });
  expect(tests.map(({ status }) => status)).toEqual(Array(5).fill('failed'));
  const wanted = [
    'no workflow is followed',
    'no prompt was sent',
    'no turn and no conversation',
    'asks for nothing',
    'names no plugin',
  ];
  for (const [index, text] of wanted.entries()) expect(tests[index]?.message).toContain(text);
});

it('is typed: options, fixtures and matchers', async () => {
  const folder = join(scratch.path, 'types');
  const good = `
import { defineCheck } from 'agent-understudy';
import { expectRun, expectTurn } from 'agent-understudy/assert';
import { expect, runProgram, test } from 'agent-understudy/vitest';
const house = defineCheck({ fields: { polite: {
  description: 'x', expects: 'boolean', judge: ({ text }, polite) => ({ passed: polite, expected: 'x', seen: text }),
} } });
test.override({ stage: 'sim', plugins: ['./a'], workflow: 'epti' });
test('x', async ({ conversation, files, plugin, harness }) => {
  const turn = await conversation.send('hello');
  expect(turn).toMeet({ keywords: { any: ['a'] as const }, commits: { message: { type: 'regex', pattern: 'a' } } });
  expect(turn).not.toMeet({ tools: { none: ['Bash'] } });
  expect(turn).toMeet<{ house: typeof house }>({ says: 'x', house: { polite: true } });
  expectTurn(turn, { suggests: ['/a'] as const, house: { polite: true } }, { checks: { house } });
  const run = await runProgram(['true'], { scenario: {} });
  expect(run).toMeet({ exit_code: 0 });
  expectRun(run, { calls: { count: 1 } });
  const names: string = plugin.name + files.folder + typeof harness;
});
`;
  const wrong = `
import { expectRun, expectTurn } from 'agent-understudy/assert';
import { expect, test } from 'agent-understudy/vitest';
// @ts-expect-error: no such stage
test.override({ stage: 'simm' });
test('x', async ({ conversation }) => {
  // @ts-expect-error: words are a list
  expect(await conversation.send('hello')).toMeet({ keywords: { any: 'a' } });
  // @ts-expect-error: no such check
  expect(conversation).toMeet({ suggest: '/plan' });
  // @ts-expect-error: no such check
  expectTurn(conversation, { suggest: '/plan' });
  // @ts-expect-error: not of a program
  expectRun(conversation, { exit_code: 0 });
  // @ts-expect-error: no such outcome
  expect(conversation).toMeet({ outcome: 'fine' });
});
`;
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
  };
  writeInlineFiles(folder, {
    'good.ts': good,
    'wrong.ts': wrong,
    'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['good.ts', 'wrong.ts'] }),
    'package.json': '{ "type": "module" }',
  });
  const types = await runProgram(
    [process.execPath, join(process.cwd(), 'node_modules/typescript-native/bin/tsc'), '-p', '.'],
    {
      cwd: folder,
    },
  );
  expect(types).toMatchObject({ code: 0, stdout: '' });
}, 120_000);
