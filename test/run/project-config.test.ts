import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('config');
});
afterEach(() => scratch.remove());

const understudy = (...args: string[]) => understudyIn('.', ...args);
const understudyIn = (folder: string, ...args: string[]) => runUnderstudy(args, { cwd: join(scratch.path, folder) });

it('takes paths, stage, agents and reporters from understudy.toml; files and flags go before it', async () => {
  writeFiles(scratch.path, {
    'understudy.toml':
      'paths = ["here"]\nstage = "sim"\nagents = ["codex"]\nreporters = ["dot", "junit=out/junit.xml"]\n',
    'here/plain.rehearsal.toml': greeting({ name: 'plain' }),
    'here/own.rehearsal.toml': greeting({ name: 'own', more: 'agent = "claude"\nstage = "live"' }),
    'there/other.rehearsal.toml': greeting({ name: 'other' }),
  });
  const list = async (...args: string[]) => JSON.parse((await understudy('run', '--list', '--json', ...args)).stdout);
  expect(await list()).toMatchObject([
    { name: 'own', agent: 'claude', stage: 'live' },
    { name: 'plain', agent: 'codex', stage: 'sim' },
  ]);
  expect(await list('there', '--stage', 'scripted', '--agent', 'claude')).toMatchObject([
    { name: 'other', agent: 'claude', stage: 'scripted' },
  ]);
  const ran = await understudy('run', 'here/plain.rehearsal.toml');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).not.toContain('✓ plain');
  expect(readFileSync(join(scratch.path, 'out/junit.xml'), 'utf8')).toContain('<testsuite');
});

it('refuses what it does not know, with the place and the nearest name, in run and e2e', async () => {
  writeFiles(scratch.path, { 'understudy.toml': 'stage = "sim"\nworker = 2\n' });
  for (const args of [['run'], ['e2e', '--loop', '--list']]) {
    expect(await understudy(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/CONFIG_INVALID[\s\S]*understudy\.toml:2:1[\s\S]*workers/),
    });
  }
});

it('is found above the folder and the paths, and its paths are from there; --config names another one', async () => {
  writeFiles(scratch.path, {
    'repository/.git/HEAD': 'ref: refs/heads/main\n',
    'repository/understudy.toml': 'paths = ["tests"]\nstage = "sim"\noutput = "out"\n',
    'repository/ci.toml': 'stage = "sim"\nreporters = ["list", "junit=junit.xml"]\n[defaults]\ntags = ["ci"]\n',
    'repository/tests/one.rehearsal.toml': greeting({ name: 'one' }),
    'repository/src/readme.txt': '',
  });
  const inside = await understudyIn('repository/src', 'run');
  expect(inside).toMatchObject({ code: 0, stderr: '' });
  expect(inside.stdout.split('\n')[0]).toMatch(/sim: claude .* ..\/understudy.toml$/);
  const stored = JSON.parse(readFileSync(join(scratch.path, 'repository/out/result.json'), 'utf8'));
  expect(stored).toMatchObject({ config: '../understudy.toml', entries: [{ file: '../tests/one.rehearsal.toml' }] });
  const outside = await understudy('run', 'repository/tests', '--list', '--json');
  expect(JSON.parse(outside.stdout)).toMatchObject([{ stage: 'sim' }]);
  const other = await understudyIn('repository/src', 'run', '../tests', '--config', '../ci.toml', '--grep', '@ci');
  expect(other).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(scratch.path, 'repository/junit.xml'), 'utf8')).toContain('one');
  const verbose = await understudyIn('repository', 'run', '-v');
  expect(verbose.stdout.split('\n')[0]).toMatch(/ understudy.toml$/);
  expect(await understudy('run', '--config', 'no.toml')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no.toml'),
  });
});

it('stops nobody from looking when it is broken: doctor and check report it', async () => {
  writeFiles(scratch.path, {
    'understudy.toml': 'worker = 2\n',
    'here/one.rehearsal.toml': greeting(),
  });
  const doctor = await understudy('doctor');
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/✓ node[\s\S]*✗ config .*CONFIG_INVALID/) });
  for (const path of ['.', 'here', 'understudy.toml']) {
    const checked = await understudy('check', path);
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringMatching(/✗ understudy.toml config, 1 problem/) });
  }
});
