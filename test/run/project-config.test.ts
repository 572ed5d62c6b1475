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

const understudy = (...args: string[]) => runUnderstudy(args, { cwd: scratch.path });

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
