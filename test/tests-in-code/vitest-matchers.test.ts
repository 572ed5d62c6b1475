import { afterEach, describe, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { realAgent } from '../helpers/real-agents.js';
import { runInlineTests } from '../helpers/run-inline-tests.js';
import { writeSamplePlugin } from '../helpers/sample-plugin.js';

const scratches: Scratch[] = [];
afterEach(async () => {
  for (const scratch of scratches.splice(0)) await scratch.remove();
});

/** One conversation in which there is something to see for every matcher. */
const PLAY = `
import { test as base } from 'agent-understudy/vitest';
const rule = (text, response) => ({ pattern: { type: 'contains', text }, response });
export const test = base.extend({
  plugins: ['./sampler'],
  workflow: 'agent-loop',
  projectSpec: { git: true, files: { 'app.py': 'print("hello")\\n' } },
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
export async function play(agent) {
  return {
    explore: await agent.send('/explore the app'),
    leak: await agent.send('leak it'),
    greet: await agent.send('greet'),
    page: await agent.send('look at the page'),
    config: await agent.send('read the config'),
  };
}
`;

const GREEN = `
import { expect } from 'agent-understudy/vitest';
import { play, test } from './play';
test('all hold', async ({ agent, project, plugin }) => {
  const { explore, leak, greet, page, config } = await play(agent);
  expect(explore).toHaveCompleted();
  expect(agent).toHaveCompleted();
  expect(explore).toMentionAny(['systematic', 'bicycle']);
  expect(explore).toMentionAll(['look', 'file']);
  expect(explore).toHaveWorkflowStage('exploring');
  expect(explore).toHaveWorkflowStage({ from: 'idle', to: 'exploring' });
  expect(explore).toSuggestCommand('/plan');
  expect(explore).toHaveUsedTools(['Glob']);
  expect(explore).toHaveUsedTools({ calls: [{ tool: 'Glob', input: { pattern: '**/*.py' }, status: 'ok' }] });
  expect(explore).toHaveExpandedCommand('explore', 'Systematically investigate the app');
  expect(leak).toHaveFiredHook({ event: 'PreToolUse', on: 'Write' });
  expect(leak).toHaveFiredHook({ event: 'PreToolUse', blocked: true, reason: 'hands off', count: 1 });
  expect(leak).toHaveBeenBlockedBy('PreToolUse', 'Write');
  expect(leak).toHaveToldModel({ message: ['leak it', 'hands off'], tools: ['Write'] });
  expect(agent).toHaveToldModel({ message: 'Systematically investigate the app', system: 'looks around' });
  expect(page).toHaveUsedSkills({ none: ['doctor'] });
  expect(page).toHaveUsedSubagents({ none: ['scout'] });
  expect(greet).toHaveAskedPermission('Bash', 'allow');
  expect(greet).toHaveCommitted('feat: greet');
  expect(greet).toHaveCommitted({ conventional: true, files: ['greet.txt'] });
  expect(greet).toHaveChangedFile('greet.txt', { change: 'created', contains: 'hi' });
  expect(page).toHaveSpecificFeedback(1);
  expect(config).toHaveHandledError({ errorType: 'file_not_found' });
  expect(explore).toStayWithinBudget({ max_model_turns: 9, max_output_tokens: 100_000 });
  expect(agent).toHaveLoadedPlugins('sampler');
  expect(agent).toHaveUsedTools({ order: ['Glob', 'Write', 'Bash'] });
  expect(plugin.commands).toContain('explore');
  expect(project.read('greet.txt')).toBe('hi\\n');

  expect(page).not.toMentionAny(['bicycle']);
  expect(page).not.toHaveWorkflowStage('planning');
  expect(page).not.toSuggestCommand('/plan');
  expect(page).not.toHaveUsedTools(['Glob']);
  expect(page).not.toHaveFiredHook('PreToolUse');
  expect(page).not.toHaveToldModel({ message: 'hands off' });
  expect(page).not.toHaveUsedSkills(['doctor']);
  expect(page).not.toHaveUsedSubagents(['scout']);
  expect(page).not.toHaveCommitted();
  expect(page).not.toHaveChangedFile('greet.txt');
  expect(page).not.toHaveExpandedCommand();
  expect(page).not.toHaveAskedPermission('Bash');
  expect(page).not.toHaveHandledError();
  expect(config).not.toHaveSpecificFeedback();
  expect(page).not.toStayWithinBudget({ max_model_turns: 0 });
  expect(page).not.toHaveCompleted({ outcome: 'failed' });
  expect(agent).not.toHaveLoadedPlugins('other');
});
`;

const RED = `
import { expect } from 'agent-understudy/vitest';
import { play, test } from './play';
test('all fail', async ({ agent }) => {
  const { explore, leak, greet, page, config } = await play(agent);
  const s = expect.soft;
  s(explore).toMentionAny(['explanation']);
  s(explore).toMentionAll(['look', 'bicycle']);
  s(explore).toHaveWorkflowStage('planning');
  s(explore).toSuggestCommand('/planning');
  s(explore).toHaveUsedTools(['Glob', 'Grep']);
  s(leak).toHaveFiredHook({ event: 'PreToolUse', on: 'Bash' });
  s(leak).toHaveFiredHook({ event: 'PreToolUse', reason: 'go on' });
  s(leak).toHaveToldModel({ message: 'go on' });
  s(explore).toHaveUsedSkills(['doctor']);
  s(explore).toHaveUsedSubagents(['scout']);
  s(greet).toHaveBeenBlockedBy('PreToolUse', 'Write');
  s(greet).toHaveCommitted('feat: greeting');
  s(greet).toHaveChangedFile('greet.txt', { contains: 'ho' });
  s(explore).toHaveExpandedCommand('explore', 'the database');
  s(greet).toHaveAskedPermission('Bash', 'deny');
  s(page).toHaveHandledError();
  s(page).toHaveSpecificFeedback(2);
  s(explore).toStayWithinBudget({ max_model_turns: 1 });
  s(agent).toHaveLoadedPlugins('samplers');
  s(page).toHaveCompleted({ outcome: 'failed' });
  s(explore).not.toMentionAny(['systematic']);
  s(explore).not.toHaveWorkflowStage('exploring');
  s(greet).not.toHaveCommitted();
});
`;

/** In the order of RED: the matcher, then what its message must show. */
const MESSAGES: readonly (readonly string[])[] = [
  ['expect(turn 1).toMentionAny', 'expected  any of "explanation"', 'seen      none of them', '> /explore the app'],
  ['expect(turn 1).toMentionAll', 'missing: "bicycle"', '• Glob'],
  ['expect(turn 1).toHaveWorkflowStage', 'expected  planning', 'seen      idle → exploring'],
  ['expect(turn 1).toSuggestCommand', 'a suggestion of /planning', 'fix       Make the agent say'],
  [
    'expect(turn 1).toHaveUsedTools',
    'expected  all of Glob, Grep',
    'fix       Let the script call Grep, or take it out of `all`.',
  ],
  [
    'expect(turn 2).toHaveFiredHook',
    'PreToolUse:Bash did not fire',
    'These fired: UserPromptSubmit, PreToolUse:Write',
    'turn 1\n',
  ],
  [
    'expect(turn 2).toHaveFiredHook',
    'fires with reason contains "go on"',
    'PreToolUse:Write blocked (exit 2): hands off',
  ],
  ['expect(turn 2).toHaveToldModel', 'the model is told contains "go on"', '| leak it'],
  ['expect(turn 1).toHaveUsedSkills', 'all of doctor', 'no skills were used'],
  ['expect(turn 1).toHaveUsedSubagents', 'all of scout', 'no subagents were used'],
  ['expect(turn 3).toHaveBeenBlockedBy', 'expected  PreToolUse:Write fires and blocks', 'did not fire'],
  ['expect(turn 3).toHaveCommitted', 'feat: greeting', 'seen      "feat: greet"'],
  ['expect(turn 3).toHaveChangedFile', 'greet.txt is changed', 'greet.txt was created: hi'],
  ['expect(turn 1).toHaveExpandedCommand', 'the database', 'Systematically investigate the app'],
  ['expect(turn 3).toHaveAskedPermission', 'answered deny', 'Bash: allow'],
  ['expect(turn 4).toHaveHandledError', 'it does not say that something went wrong'],
  ['expect(turn 4).toHaveSpecificFeedback', 'at least 2 specific points', 'seen      1 specific', '| specific: '],
  ['expect(turn 1).toStayWithinBudget', 'at most 1 model turn', 'seen      2 model turns'],
  ['expect(conversation).toHaveLoadedPlugins', 'samplers load without errors', 'missing: samplers'],
  ['expect(turn 4).toHaveCompleted', 'expected  failed', 'seen      completed'],
  ['expect(turn 1).not.toMentionAny', 'expected  not: any of "systematic"', '| systematic is found'],
  ['expect(turn 1).not.toHaveWorkflowStage', 'expected  not: exploring', 'seen      idle → exploring'],
  ['expect(turn 3).not.toHaveCommitted', 'expected  not: a commit', 'seen      "feat: greet"'],
];

describe.each(['sim', 'scripted'] as const)('on %s', (stage) => {
  it('every matcher holds where it should and fails on a near miss, with the right message', async (context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    const scratch = createScratch('matchers');
    scratches.push(scratch);
    writeSamplePlugin(scratch.path);
    const files = { 'play.js': PLAY, 'green.test.js': GREEN, 'red.test.js': RED };
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
