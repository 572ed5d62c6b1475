import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
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
