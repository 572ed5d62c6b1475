import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { evalEntries } from './eval-entries.js';
import { liveChecks, readArms, scriptedChecks } from './eval-result.js';
import { findEvals } from './find-evals.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('evals');
});
afterEach(() => scratch.remove());

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(scratch.path, name)), { recursive: true });
    writeFileSync(join(scratch.path, name), text);
  }
}

it('finds the cases of plugins by the rules of the CLI', () => {
  write({
    'market/one/.claude-plugin/plugin.json': '{"name":"one"}',
    'market/one/evals/prose/prompt.md': 'Do it.',
    'market/one/evals/prose/graders/a.md': '',
    'market/one/evals/group/deep/case.yaml': 'name: another name\n',
    'market/one/evals/broken/case.yaml': '{',
    'market/one/evals/results/2026/prompt.md': 'no case',
    'market/two/plugin.json': '{"name":"two","experimental":{"evals":"checks"}}',
    'market/two/checks/x/prompt.md': 'Do it.',
    'market/two/evals/y/prompt.md': 'elsewhere',
    'no-plugin/evals/z/prompt.md': 'nobody’s',
  });
  const found = findEvals([scratch.path, join(scratch.path, 'market/two/plugin.json')]);
  expect(found.map(({ name }) => name)).toEqual(['broken', 'another name', 'prose', 'x']);
});

const test = { plugin: '/p', name: 'one', folder: '/p/evals/one', file: '/p/evals/one/prompt.md' };
const grader = (name: string, passed: boolean, scored = true) => ({
  name,
  passed,
  scored,
  explanation: `${name} said`,
});
const run = (passed: boolean, more: object = {}) => ({
  ...{
    score: passed ? 1 : 0,
    passed,
    turns: 1,
    error: null,
    graders: [grader('g', passed), grader('skill', false, false)],
  },
  ...more,
});
const result = (own: object, without: object) => ({
  cases: [
    { name: 'one', dir: 'evals/other', arms: { with: [] } },
    { name: 'one', dir: 'evals/one', arms: { with: [own], without: [without] } },
  ],
});
const armsOf = (own: object, without: object) => {
  const arms = readArms(result(own, without), test);
  if (arms === undefined) throw new Error('no arms');
  return arms;
};

it('is content on scripted with a case that runs, whatever its graders say', () => {
  const checks = scriptedChecks(armsOf(run(false), run(false)), '');
  expect(checks.map(({ name, status }) => [name, status])).toEqual([
    ['the case loads', 'passed'],
    ['the case runs', 'passed'],
  ]);
});

it('fails on scripted a case that does not load or does not run', () => {
  expect(scriptedChecks(readArms({ cases: [] }, test), 'case.yaml: graders: Required')).toEqual([
    expect.objectContaining({ name: 'the case loads', status: 'failed', actual: 'case.yaml: graders: Required' }),
  ]);
  expect(scriptedChecks(armsOf(run(true), run(true, { error: 'timeout' })), '').at(-1)).toMatchObject({
    ...{ name: 'the case runs', status: 'failed', actual: 'without the plugin: timeout' },
  });
});

it('checks on live what the graders scored, and shows the arm without the plugin beside it', () => {
  expect(liveChecks(armsOf(run(true), run(false)))).toEqual([
    expect.objectContaining({
      ...{ name: 'grader g', status: 'passed' },
      evidence: ['without the plugin: failed, score 0 (with it: 1)'],
    }),
  ]);
  expect(liveChecks(armsOf(run(false), run(true)))).toMatchObject([{ status: 'failed', actual: 'g said' }]);
});

it('never counts a rate limit as a failure of the plugin', () => {
  expect(() => liveChecks(armsOf(run(false, { error: 'rate limit' }), run(true)))).toThrow('rate limit');
  expect(() => liveChecks(armsOf(run(true), run(false, { error: 'rate limit' })))).toThrow('rate limit');
});

it('refuses a result that it does not understand', () => {
  expect(() => readArms({ cases: [{ name: 'one' }] }, test)).toThrow('not as expected');
});

it('is skipped with a reason where the CLI has no evals', () => {
  const entries = ['opencode', 'claude'].map((agent) => evalEntries([test], { agents: [agent], stage: 'sim' }));
  expect(entries.flat().map(({ skip }) => skip)).toEqual([
    'it is a case of `claude plugin eval`',
    '`claude plugin eval` is not on the stage sim',
  ]);
});

it('replays what has a cassette, and records the rest where that is wished', async () => {
  write({
    'evals/one/prompt.md': 'Do it.',
    'evals/two/prompt.md': 'Do it.',
    'evals/cassettes/one.claude.cassette.jsonl': '',
  });
  const cases = ['one', 'two'].map((name) => {
    const folder = join(scratch.path, 'evals', name);
    return { plugin: scratch.path, name, folder, file: join(folder, 'prompt.md') };
  });
  vi.stubEnv('CI', 'false');
  const stages = () => evalEntries(cases, { stage: 'replay', record: true }).map(({ stage }) => stage);
  expect(stages()).toEqual(['replay', 'live']);
  vi.stubEnv('CI', 'true');
  expect(stages()).toEqual(['replay', 'replay']);
});
