import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
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
  expect(stdout).toMatch(/\d\.\d s {2}passed {2}the agent says hello\n[\s\S]*5 in all\n/);
  expect(code).toBe(0);
});

it('a workflow and a project of the user are named by their paths, and a release without its tests is red', async () => {
  const example = join(root, 'examples/own-workflow');
  const cwd = join(scratch.path, 'workflow');
  cpSync(example, cwd, { recursive: true });
  const text = readFileSync(join(cwd, 'release.rehearsal.toml'), 'utf8');
  const untested = text.replace('sh test.sh', 'true').replace('name = "', 'name = "untested: ');
  writeFiles(cwd, { 'untested.rehearsal.toml': untested });
  const { code, stdout } = await runUnderstudy(['run', '--stage', 'sim'], { cwd });
  expect(stdout).toMatch(/✓ a release is tested first/);
  expect(stdout).toMatch(/✗ untested: [\s\S]*✗ workflow\n[\s\S]*untested\.rehearsal\.toml:/);
  expect(code).toBe(1);
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

it('a check of the user is judged like ours: green, red at its line, in every report', async () => {
  const own = readFileSync(join(root, 'examples/own-parts/polite.rehearsal.toml'), 'utf8');
  const house = readFileSync(join(root, 'examples/own-parts/house.mjs'), 'utf8');
  const rude = own.replace('Hello. What can I do?', 'What?').replace('name = "', 'name = "not: ');
  const cwd = project('check', { 'a.rehearsal.toml': own, 'rude.rehearsal.toml': rude, 'house.mjs': house });
  const { code, stdout } = await runUnderstudy(reporter('list,json=result.json,junit=result.xml'), { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/✓ the agent is polite/);
  expect(stdout).toMatch(/house\.polite.*\n(?:.*\n)*? *expected {2}a greeting or thanks\n *seen {6}What\?/);
  expect(stdout).toContain('Say in the prompt of the command how to begin.');
  expect(stdout).toContain('rude.rehearsal.toml:11');
  expect(readFileSync(join(cwd, 'result.xml'), 'utf8')).toContain('house.polite');
  const result = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8')) as RunResult;
  const checks = result.entries.flatMap(({ steps }) => steps.flatMap((step) => step.checks));
  expect(checks.filter(({ name }) => name === 'house.polite').map(({ status }) => status)).toEqual([
    'passed',
    'failed',
  ]);
});

it('a check that cannot be used, or fails itself, ends with 2, for `check`, too', async () => {
  const own = readFileSync(join(root, 'examples/own-parts/polite.rehearsal.toml'), 'utf8');
  const judging = (judge: string) =>
    `export default { understudy: 'check/1', fields: { polite: { description: 'x', expects: 'boolean', judge: ${judge} }, most_tools: { description: 'x', expects: 'number', judge: () => ({ passed: true, expected: 'x', seen: 'x' }) } } };`;
  const cwd = project('broken-check', {
    'a.rehearsal.toml': own,
    'house.mjs': judging('() => { throw new Error("no lamp"); }'),
    'b/b.rehearsal.toml': own,
  });
  const sim = ['run', '--stage', 'sim', '--reporter', 'list'];
  const thrown = await runUnderstudy([...sim, 'a.rehearsal.toml'], { cwd });
  expect([thrown.code, thrown.stdout]).toEqual([2, expect.stringContaining('PART_FAILED')]);
  expect(thrown.stdout).toContain('the check house.polite failed: no lamp (house.mjs)');
  const absent = await runUnderstudy([...sim, 'b'], { cwd });
  expect(absent.code).toBe(2);
  expect(absent.stdout + absent.stderr).toMatch(
    /b\.rehearsal\.toml:2:\d+[\s\S]*there is no file b\/house\.mjs for a check/,
  );
  const checked = await runUnderstudy(['check', 'b'], { cwd });
  expect([checked.code, checked.stdout]).toEqual([2, expect.stringContaining('there is no file b/house.mjs')]);
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
