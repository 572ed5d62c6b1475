import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { commitAll, initRepository } from '../../packages/stage/src/workspace/git.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

const scratch = createScratch('changed');
const cwd = scratch.path;
beforeAll(async () => {
  writeFiles(cwd, {
    '.gitignore': '.understudy\n',
    'plugin/.claude-plugin/plugin.json': '{ "name": "plugin" }',
    'plugin/commands/hi.md': 'Say hello.',
    'tests/plugin.rehearsal.toml': greeting({ name: 'with the plugin', more: 'plugins = ["../plugin"]' }),
    'tests/alone.rehearsal.toml': greeting({ name: 'alone' }),
  });
  await initRepository(cwd);
});
afterAll(() => scratch.remove());

const changed = (...args: string[]) => runUnderstudy(['run', 'tests', '--stage', 'sim', ...args], { cwd });

it('runs what a change can touch, since a commit or since the last one; nothing is green, and said', async () => {
  const clean = await changed('--changed', '--reporter', 'list,junit=out.xml');
  expect(clean).toMatchObject({ code: 0, stdout: expect.stringContaining('there was no rehearsal to run') });
  expect(clean.stderr).toContain('0 files changed: 0 of 2 tests touched');
  rmSync(join(cwd, 'out.xml'));
  writeFiles(cwd, { 'plugin/commands/new.md': 'New.' });
  const one = await changed('--changed');
  expect(one).toMatchObject({ code: 0, stderr: expect.stringContaining('1 file changed: 1 of 2 tests touched') });
  expect(one.stdout).toMatch(/✓ with the plugin[\s\S]*\n1 passed/);
  await commitAll(cwd, 'new');
  const list = await changed('--changed=HEAD~1', '--list', '--json');
  expect(JSON.parse(list.stdout)).toMatchObject([{ name: 'with the plugin' }]);
});

it('refuses a commit that there is not, a path in its place, and --watch', async () => {
  for (const args of [['--changed=nowhere'], ['--changed', 'plugin'], ['--changed', '--watch']]) {
    expect(await changed(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('--changed') });
  }
});
