import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { pluginFolder } from './folder.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-folder-')));
afterAll(() => rmSync(base, { recursive: true }));
mkdirSync(join(base, 'plugins', 'agent-loop', '.claude-plugin'), { recursive: true });
writeFileSync(join(base, 'plugins', 'agent-loop', '.claude-plugin', 'plugin.json'), '{}');

it('gives the folder of a plugin', () => {
  expect(pluginFolder(join(base, 'plugins', 'agent-loop'))).toBe(join(base, 'plugins', 'agent-loop'));
});

it.each([
  ['plugins/agent-lop', `Did you mean ${join('plugins', 'agent-loop')}?`],
  ['plugin/agent-loop', `Did you mean ${join('plugins', 'agent-loop')}?`],
  ['plugins/nothing-of-the-kind', 'The nearest folder that exists is plugins.'],
  [
    'plugins/agent-loop/.claude-plugin/plugin.json',
    'Give the folder of the plugin: plugins/agent-loop/.claude-plugin.',
  ],
])('names the nearest folder for %s', (path, fix) => {
  expect(() => pluginFolder(join(base, path))).toThrow(
    expect.objectContaining({
      code: 'FOLDER_NOT_FOUND',
      fix: expect.stringContaining(fix.replace(/plugins/, join(base, 'plugins'))),
    }),
  );
});

const odd = join(base, 'odd');
beforeEach(() => {
  mkdirSync(join(odd, 'commands'), { recursive: true });
  writeFileSync(join(odd, 'commands/y.md'), 'hello');
  symlinkSync('nowhere', join(odd, 'dead-link'));
  symlinkSync('..', join(odd, 'commands/up'));
});
afterEach(() => rmSync(odd, { recursive: true }));

it('takes a plugin with links', () => {
  expect(pluginFolder(odd)).toBe(odd);
});

it.each(['commands/x.md', 'hooks.json'])('refuses a pipe in the place of a file: %s', (name) => {
  execFileSync('mkfifo', [join(odd, name)]);
  expect(() => pluginFolder(odd)).toThrow(expect.objectContaining({ code: 'PLUGIN_SPECIAL_FILE' }));
});

it('refuses a link to a device', () => {
  symlinkSync('/dev/zero', join(odd, 'commands/zero.md'));
  expect(() => pluginFolder(odd)).toThrow(/zero\.md is a named pipe, a socket or a device/);
});
