import { afterEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { runInlineTests } from '../helpers/run-inline-tests.js';
import { writeSamplePlugin } from '../helpers/sample-plugin.js';

const scratches: Scratch[] = [];
afterEach(async () => {
  for (const scratch of scratches.splice(0)) await scratch.remove();
});

/** One conversation in which there is something to see for every check. */
const PLAY = `
import { test as base } from 'agent-understudy/vitest';
const rule = (text, response) => ({ pattern: { type: 'contains', text }, response });
export const test = base.extend({
  plugins: ['./sampler'],
  workflow: 'agent-loop',
  checks: { house: './house.mjs' },
  project: { git: true, files: { 'app.py': 'print("hello")\\n' } },
  scenario: { responses: [
    { pattern: { type: 'command', name: 'explore' }, response: {
      text: 'A systematic look: one file. Next, run /plan.', tool_calls: [{ tool: 'Glob', input: { pattern: '**/*.py' } }] } },
    rule('leak', { text: 'I may not write that.', tool_calls: [
      { tool: 'Write', input: { file_path: 'secret.txt', content: 'x' } } ] }),
    rule('greet', { text: 'Done.', tool_calls: [
      { tool: 'Bash', input: { command: 'echo hi > greet.txt && git add . && git commit --quiet -m "feat: greet"' } } ] }),
    rule('look at the page', 'The card padding should be 24px instead of 32px.'),
    rule('read the config', 'I could not find the file config.toml. Please check the path and try again.'),
  ] },
});
export async function play(conversation) {
  return {
    explore: await conversation.send('/explore the app'),
    leak: await conversation.send('leak it'),
    greet: await conversation.send('greet'),
    page: await conversation.send('look at the page'),
    config: await conversation.send('read the config'),
  };
}
`;

const GREEN = `
import { expect } from 'agent-understudy/vitest';
import { play, test } from './play';
test('all hold', async ({ conversation, files, plugin }) => {
  const { explore, leak, greet, page, config } = await play(conversation);
  expect(explore).toMeet({
    outcome: 'completed',
    says_not: 'bicycle',
    keywords: { any: ['systematic', 'bicycle'], all: ['look', 'file'] },
    workflow: { from: 'idle', to: 'exploring' },
    suggests: '/plan',
    tools: { all: ['Glob'], calls: [{ tool: 'Glob', input: { pattern: '**/*.py' }, status: 'ok' }] },
    command: { name: 'explore', expands_to: 'Systematically investigate the app' },
    budget: { max_model_turns: 9, max_output_tokens: 100_000 },
  });
  expect(explore).toMeet({ workflow: 'exploring' });
  expect(leak).toMeet({
    hooks: [
      { event: 'PreToolUse', on: 'Write', blocked: true },
      { event: 'PreToolUse', blocked: true, reason: 'hands off', count: 1 },
    ],
    told: { message: ['leak it', 'hands off'], tools: ['Write'] },
  });
  expect(greet).toMeet({
    permissions: [{ tool: 'Bash', decision: 'allow' }],
    commits: { message: 'feat: greet', conventional: true, files: ['greet.txt'] },
    files: [{ path: 'greet.txt', change: 'created', contains: 'hi' }],
  });
  expect(page).toMeet({ feedback: { min: 1 }, skills: { none: ['doctor'] }, subagents: { none: ['scout'] } });
  expect(config).toMeet({ error_handled: true });
  expect(conversation).toMeet({
    outcome: 'completed',
    plugins: ['sampler'],
    tools: { order: ['Glob', 'Write', 'Bash'] },
    told: { message: 'Systematically investigate the app', system: 'looks around' },
    budget: { max_model_turns: 9 },
  });
  expect(plugin.commands).toContain('explore');
  expect(files.read('greet.txt')).toBe('hi\\n');

  for (const unmet of [
    { keywords: { any: ['bicycle'] } },
    { workflow: 'planning' },
    { suggests: '/plan' },
    { tools: { any: ['Glob'] } },
    { hooks: [{ event: 'PreToolUse' }] },
    { told: { message: 'hands off' } },
    { skills: ['doctor'] },
    { subagents: ['scout'] },
    { commits: {} },
    { files: [{ path: 'greet.txt' }] },
    { command: {} },
    { permissions: [{ tool: 'Bash' }] },
    { error_handled: true },
    { budget: { max_model_turns: 0 } },
    { outcome: 'failed' },
  ]) expect(page).not.toMeet(unmet);
  expect(config).not.toMeet({ feedback: {} });
  expect(conversation).not.toMeet({ plugins: ['other'] });
  expect(page).toMeet({ says: 'padding', house: { short: true } });
});
`;

const RED = `
import { expect } from 'agent-understudy/vitest';
import { play, test } from './play';
test('all fail', async ({ conversation }) => {
  const { explore, leak, greet, page, config } = await play(conversation);
  const s = expect.soft;
  s(explore).toMeet({ keywords: { any: ['explanation'] } });
  s(explore).toMeet({ keywords: { all: ['look', 'bicycle'] } });
  s(explore).toMeet({ workflow: 'planning' });
  s(explore).toMeet({ suggests: '/planning' });
  s(explore).toMeet({ tools: { all: ['Glob', 'Grep'] } });
  s(leak).toMeet({ hooks: [{ event: 'PreToolUse', on: 'Bash' }] });
  s(leak).toMeet({ hooks: [{ event: 'PreToolUse', reason: 'go on' }] });
  s(leak).toMeet({ told: { message: 'go on' } });
  s(explore).toMeet({ skills: ['doctor'] });
  s(explore).toMeet({ subagents: ['scout'] });
  s(greet).toMeet({ hooks: [{ event: 'PreToolUse', on: 'Write', blocked: true }] });
  s(greet).toMeet({ commits: { message: 'feat: greeting' } });
  s(greet).toMeet({ files: [{ path: 'greet.txt', contains: 'ho' }] });
  s(explore).toMeet({ command: { name: 'explore', expands_to: 'the database' } });
  s(greet).toMeet({ permissions: [{ tool: 'Bash', decision: 'deny' }] });
  s(page).toMeet({ error_handled: true });
  s(page).toMeet({ feedback: { min: 2 } });
  s(explore).toMeet({ budget: { max_model_turns: 1 } });
  s(conversation).toMeet({ plugins: ['samplers'] });
  s(page).toMeet({ outcome: 'failed' });
  s(conversation).toMeet({ budget: { max_model_turns: 1 } });
  s(page).toMeet({ house: { short: false } });
  s(explore).not.toMeet({ keywords: { any: ['systematic'] } });
  s(explore).not.toMeet({ workflow: 'exploring' });
  s(greet).not.toMeet({ commits: {} });
});
`;

/** In the order of RED: what is looked at, then what the message must show. */
const MESSAGES: readonly (readonly string[])[] = [
  ['expect(turn 1).toMeet', 'expected  any of "explanation"', 'seen      none of them', '> /explore the app'],
  ['expect(turn 1).toMeet', 'missing: "bicycle"', '• Glob'],
  ['expect(turn 1).toMeet', 'expected  planning', 'seen      idle → exploring'],
  ['expect(turn 1).toMeet', 'a suggestion of /planning', 'fix       Make the agent say'],
  [
    'expect(turn 1).toMeet',
    'expected  all of Glob, Grep',
    'fix       Let the script call Grep, or take it out of `all`.',
  ],
  [
    'expect(turn 2).toMeet',
    'PreToolUse:Bash did not fire',
    'These fired: UserPromptSubmit, PreToolUse:Write',
    'turn 1\n',
  ],
  ['expect(turn 2).toMeet', 'fires with reason contains "go on"', 'PreToolUse:Write blocked (exit 2): hands off'],
  ['expect(turn 2).toMeet', 'the model is told contains "go on"', '| leak it'],
  ['expect(turn 1).toMeet', 'all of doctor', 'no skills were used'],
  ['expect(turn 1).toMeet', 'all of scout', 'no subagents were used'],
  ['expect(turn 3).toMeet', 'expected  PreToolUse:Write fires and blocks', 'did not fire'],
  ['expect(turn 3).toMeet', 'feat: greeting', 'seen      "feat: greet"'],
  ['expect(turn 3).toMeet', 'greet.txt is changed', 'greet.txt was created: hi'],
  ['expect(turn 1).toMeet', 'the database', 'Systematically investigate the app'],
  ['expect(turn 3).toMeet', 'answered deny', 'Bash: allow'],
  ['expect(turn 4).toMeet', 'it does not say that something went wrong'],
  ['expect(turn 4).toMeet', 'at least 2 specific points', 'seen      1 specific', '| specific: '],
  ['expect(turn 1).toMeet', 'at most 1 model turn', 'seen      2 model turns'],
  ['expect(conversation).toMeet', 'samplers load without errors', 'missing: samplers'],
  ['expect(turn 4).toMeet', 'expected  failed', 'seen      completed'],
  ['expect(conversation).toMeet', 'budget of turn 1', 'at most 1 model turn'],
  ['expect(turn 4).toMeet', '✗ house.short', 'expected  a long answer', 'seen      The card padding'],
  ['expect(turn 1).not.toMeet', 'expected  not: any of "systematic"', '| systematic is found'],
  ['expect(turn 1).not.toMeet', 'expected  not: exploring', 'seen      idle → exploring'],
  ['expect(turn 3).not.toMeet', 'expected  not: a commit', 'seen      "feat: greet"'],
];

const HOUSE = `import { defineCheck } from 'agent-understudy';
export default defineCheck({ fields: { short: {
  description: 'The answer is short.', expects: 'boolean',
  judge: ({ text }, short) => ({ passed: text.length < 200 === short, expected: short ? 'a short answer' : 'a long answer', seen: text }),
} } });
`;

describe.each(['sim', 'scripted'] as const)('on %s', (stage) => {
  it('every expectation holds where it should and fails on a near miss, with the right message', async (context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    const scratch = createScratch('matchers');
    scratches.push(scratch);
    writeSamplePlugin(scratch.path);
    const files = { 'play.js': PLAY, 'house.mjs': HOUSE, 'green.test.js': GREEN, 'red.test.js': RED };
    const run = await runInlineTests(scratch.path, files, { config: `provide: { stage: '${stage}' },` });
    const [green, red] = ['all hold', 'all fail'].map((title) => run.tests.find((test) => test.title === title));
    expect(green, run.output).toMatchObject({ status: 'passed', message: '' });
    expect(red).toMatchObject({ status: 'failed' });
    expect(red?.messages).toHaveLength(MESSAGES.length);
    for (const [index, parts] of MESSAGES.entries()) {
      for (const part of parts) expect(red?.messages[index]).toContain(part);
    }
  }, 120_000);
});
