import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../process/scratch.js';
import { loadRehearsal } from '../rehearsal/load.js';
import { sendStepsOf } from '../rehearsal/schema.js';
import { scaffoldRehearsal } from './scaffold-rehearsal.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('scaffold');
});
afterEach(() => scratch.remove());

function put(path: string, text: string): void {
  const file = join(scratch.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const read = (path: string) => readFileSync(join(scratch.path, path), 'utf8');

it('writes a step for each command, and the loader accepts it', () => {
  put('.claude-plugin/plugin.json', '{ "name": "hello" }');
  put('commands/greet.md', '---\ndescription: Greet\n---\nGreet $ARGUMENTS.\n\nBe "friendly".\n');
  put('commands/deep/part.md', 'Say goodbye.\n');
  const { file, commands, written } = scaffoldRehearsal(scratch.path);
  expect(file).toBe(join(scratch.path, 'rehearsals/hello.rehearsal.toml'));
  expect(commands).toEqual(['hello:deep:part', 'hello:greet']);
  expect(written).toEqual([file, join(scratch.path, '.gitignore')]);
  const { document, warnings } = loadRehearsal(file);
  expect(warnings).toEqual([]);
  expect(document.steps).toEqual([
    {
      send: '/hello:deep:part',
      expect: { command: { name: 'hello:deep:part', expands_to: 'Say goodbye.' }, plugins: ['hello'] },
    },
    {
      send: '/hello:greet the example',
      expect: { command: { name: 'hello:greet', expands_to: 'Be "friendly".' }, plugins: ['hello'] },
    },
  ]);
  expect(document.responses?.map(({ pattern }) => pattern)).toEqual([
    { type: 'command', name: 'hello:deep:part' },
    { type: 'command', name: 'hello:greet' },
  ]);
});

it('expects the hooks that run on every prompt, and shows how to test those on tools', () => {
  const run = [{ hooks: [{ type: 'command', command: 'true' }] }];
  put('commands/a.md', 'Go.');
  put(
    'hooks/hooks.json',
    JSON.stringify({ hooks: { UserPromptSubmit: run, PreToolUse: [{ matcher: 'Write|Edit', ...run[0] }] } }),
  );
  const { file } = scaffoldRehearsal(scratch.path);
  expect(sendStepsOf(loadRehearsal(file).document)[0]?.expect?.hooks).toEqual([{ event: 'UserPromptSubmit' }]);
  expect(readFileSync(file, 'utf8')).toContain('# hooks = [{ event = "PreToolUse", on = "Write", blocked = true }]');
});

it('sends a greeting if a plugin has no commands', () => {
  put('skills/look/SKILL.md', '---\nname: look\ndescription: looks\n---\nLook.\n');
  expect(loadRehearsal(scaffoldRehearsal(scratch.path).file).document.steps).toMatchObject([{ send: 'hello' }]);
});

it('overwrites only with --force', () => {
  put('commands/a.md', 'Go.');
  const { file } = scaffoldRehearsal(scratch.path);
  writeFileSync(file, 'mine');
  expect(() => scaffoldRehearsal(scratch.path)).toThrow(expect.objectContaining({ code: 'SCAFFOLD_EXISTS' }));
  expect(readFileSync(file, 'utf8')).toBe('mine');
  scaffoldRehearsal(scratch.path, { force: true });
  expect(readFileSync(file, 'utf8')).toContain('[[steps]]');
});

it.each([
  ['', '.understudy/\n', true],
  ['dist', 'dist\n.understudy/\n', true],
  ['/.understudy\n', '/.understudy\n', false],
])('adds the artifacts folder to .gitignore: %j becomes %j', (before, after, isWritten) => {
  put('commands/a.md', 'Go.');
  if (before !== '') put('.gitignore', before);
  expect(scaffoldRehearsal(scratch.path).written).toHaveLength(isWritten ? 2 : 1);
  expect(read('.gitignore')).toBe(after);
});

it('refuses a folder without a plugin, and does not change it', () => {
  expect(() => scaffoldRehearsal(scratch.path)).toThrow(expect.objectContaining({ code: 'SCAFFOLD_NO_PLUGIN' }));
  expect(existsSync(join(scratch.path, 'rehearsals'))).toBe(false);
  put('.claude-plugin/marketplace.json', '{}');
  expect(() => scaffoldRehearsal(scratch.path)).toThrow(
    expect.objectContaining({ fix: expect.stringContaining('plugin of this marketplace') }),
  );
});

it('refuses a plugin whose manifest is broken', () => {
  put('.claude-plugin/plugin.json', '{ "name": ');
  expect(() => scaffoldRehearsal(scratch.path)).toThrow(expect.objectContaining({ code: 'SCAFFOLD_BROKEN_PLUGIN' }));
});
