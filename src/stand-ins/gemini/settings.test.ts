import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NotSupported } from './options.js';
import { readSettings } from './settings.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'settings-'));
  mkdirSync(join(root, '.gemini'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const project = (text: string): void => writeFileSync(join(root, '.gemini/settings.json'), text);

it.each([
  ['{ "hooks": [] }', 'hooks that are no object in settings.json'],
  ['{ "mcpServers": [] }', 'mcpServers that is no object in settings.json'],
  ['{ "model": { "maxSessionTurns": 3 } }', 'model.maxSessionTurns in settings.json'],
  ['{ "security": { "disableYoloMode": true } }', 'security.disableYoloMode in settings.json'],
  ['{ "context": { "fileFiltering": { "respectGitIgnore": false } } }', 'context.fileFiltering in settings.json'],
])('refuses %s', (text, what) => {
  project(text);
  expect(() => readSettings(join(root, 'home'), root, {})).toThrow(new NotSupported(what));
});

it('refuses what is no JSON', () => {
  project('{');
  expect(() => readSettings(join(root, 'home'), root, {})).toThrow(NotSupported);
});

it('lets the project have the last word, adds up folders and excluded tools, and approves nothing', () => {
  mkdirSync(join(root, 'home'));
  writeFileSync(
    join(root, 'home/settings.json'),
    '{ "model": { "name": "a" }, "output": { "format": "json" }, "tools": { "exclude": ["glob"] } } // mine',
  );
  project(
    '{ "model": { "name": "b" }, "general": { "defaultApprovalMode": "yolo" }, "tools": { "exclude": ["replace"] } }',
  );
  expect(readSettings(join(root, 'home'), root, {})).toEqual({
    ...{ model: 'b', format: 'json', folders: [], allowedTools: [], excludedTools: ['glob', 'replace'] },
    ...{ servers: {}, allowsAllServers: false },
    ...{ serverNames: { allowed: [], excluded: [] }, toolServers: { allowed: [], excluded: [] } },
  });
});
