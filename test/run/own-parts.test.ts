import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram, runUnderstudy } from '../helpers/understudy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scratch = createScratch('own-parts');
afterAll(() => scratch.remove());

/** A project in which the package is installed. */
function project(name: string, files: Record<string, string>): string {
  const folder = join(scratch.path, name);
  writeFiles(folder, files);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/agent-understudy'));
  return folder;
}

const reporter = (text: string, ...more: string[]) => ['run', '--stage', 'sim', '--reporter', text, ...more];

it('a reporter of the user shows a run, beside another one', async () => {
  const cwd = join(root, 'examples/own-parts');
  const output = ['--output', join(scratch.path, 'out')];
  const { code, stdout } = await runUnderstudy(reporter('list,./slowest.mjs=3', ...output), { cwd });
  expect(stdout).toMatch(/✓ the agent says hello/);
  expect(stdout).toMatch(/\d\.\d s {2}passed {2}the agent says hello\n1 in all\n/);
  expect(code).toBe(0);
});

it('a reporter that cannot be used is an error before anything runs', async () => {
  const cwd = project('absent', { 'a.rehearsal.toml': greeting() });
  const { code, stdout, stderr } = await runUnderstudy(reporter('./absent.mjs'), { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('PART_UNUSABLE');
});

it('a reporter that throws is named, and makes a green run end with 2', async () => {
  const text = 'export default { end() { throw new Error("the disk is full"); } };';
  const cwd = project('throws', { 'a.rehearsal.toml': greeting(), 'mine.mjs': text });
  const { code, stderr } = await runUnderstudy(reporter('list,./mine.mjs'), { cwd });
  expect(stderr).toContain('the reporter ./mine.mjs failed in end(): the disk is full');
  expect(code).toBe(2);
});

const program = (body: string): string => `import { runRehearsals } from 'agent-understudy';\n${body}`;

it('a program runs rehearsals, and has the result, what happens and the errors', async () => {
  const cwd = project('program', {
    'a.rehearsal.toml': greeting(),
    'red/b.rehearsal.toml': greeting({ name: 'red', expects: 'never said' }),
    'main.mjs': program(`
const seen = [];
const reporter = { begin: ({ name }) => seen.push(name), end: ({ name }, { status }) => seen.push(status) };
const run = await runRehearsals('.', { stage: 'sim', reporter, output: 'out' });
const nowhere = await runRehearsals('nowhere').catch(({ code }) => code);
const nothing = await runRehearsals('.', { grep: 'no such' }).catch(({ code }) => code);
const broken = await runRehearsals('a.rehearsal.toml', { stage: 'sim', reporter: { end() { throw new Error('x'); } } }).catch(({ code }) => code);
const unknown = await runRehearsals('.', { agents: ['claude'] }).catch(({ code }) => code);
console.log(JSON.stringify({ unknown, statuses: run.entries.map(({ status }) => status), exit: run.exit_code, seen: seen.length, nowhere, nothing, broken }));
`),
  });
  const { stdout, stderr } = await runProgram([process.execPath, 'main.mjs'], { cwd });
  expect(JSON.parse(stdout || stderr)).toEqual({
    ...{ statuses: ['passed', 'failed'], exit: 1, seen: 4 },
    unknown: 'OPTIONS_INVALID',
    ...{ nowhere: 'FILE_NOT_FOUND', nothing: 'NOTHING_TO_RUN', broken: 'PART_FAILED' },
  });
});

it('a program ends a run by its signal, and ends itself', async () => {
  const cwd = project('signal', {
    'a.rehearsal.toml': greeting(),
    'main.mjs': program(`
const stopping = new AbortController();
const run = await runRehearsals('.', { stage: 'sim', signal: stopping.signal, reporter: { begin: () => stopping.abort() } });
console.log(run.exit_code, run.entries[0].status);
`),
  });
  const { code, stdout } = await runProgram([process.execPath, 'main.mjs'], { cwd });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '130 interrupted\n' });
});

it('the example runs in node:test', async () => {
  const test = join(root, 'examples/own-parts/run.test.mjs');
  const { code, stdout } = await runProgram([process.execPath, '--test', '--test-reporter=tap', test], {
    cwd: scratch.path,
  });
  expect(stdout).toContain('ok 1 - the agent says hello');
  expect(code).toBe(0);
});
