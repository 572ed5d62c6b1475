import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProject } from './create-project.js';
import { Language, ProjectType } from './project-spec.js';
import { takeSnapshot } from './snapshot.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('project');
});
afterEach(() => scratch.remove());

const kinds = ProjectType.options.flatMap((type) => Language.options.map((language) => ({ type, language })));

it('knows nine kinds', () => {
  expect(kinds).toHaveLength(9);
});

it.each(kinds)('makes the $type in $language', ({ type, language }) => {
  const project = createProject(join(scratch.path, 'project'), { type, language });
  const snapshot = [...takeSnapshot(project.folder)];
  const tree = snapshot.map(([path, { kind, text = '', executable }]) =>
    kind === 'folder' ? `${path}/` : `${path} ${text.split('\n').length - 1} lines${executable ? ', executable' : ''}`,
  );
  expect(tree).toMatchSnapshot();
  const files = snapshot.flatMap(([path, { kind }]) => (kind === 'folder' ? [] : [path]));
  expect(project.files).toEqual(files.sort());
});

it.each(kinds)('puts a name into the manifest of the $type in $language', ({ type, language }) => {
  const { folder } = createProject(join(scratch.path, 'project'), { type, language, name: 'Task Manager API' });
  const manifest = { python: 'pyproject.toml', javascript: 'package.json', go: 'go.mod' }[language];
  expect(readFileSync(join(folder, manifest), 'utf8')).toContain('task-manager-api');
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toMatch(/^# Task Manager API\n/);
});

it('makes a script with a shebang executable', () => {
  const { folder } = createProject(scratch.path, { type: 'cli', language: 'javascript' });
  expect(statSync(join(folder, 'bin/notes.js')).mode & 0o111).toBe(0o111);
});

it.each(['', ' padded', 'a/b', '../up', 'quote"d', 'line\nbreak', '1st', 'x'.repeat(61), 'dot.', '$(id)'])(
  'refuses the name %j and writes nothing',
  (name) => {
    const folder = join(scratch.path, 'project');
    expect(() => createProject(folder, { type: 'cli', language: 'go', name })).toThrow(
      expect.objectContaining({ code: 'WORKSPACE_BAD_NAME' }),
    );
    expect(statSync(folder, { throwIfNoEntry: false })).toBeUndefined();
  },
);

it('refuses a folder that is not empty', () => {
  mkdirSync(join(scratch.path, 'full'));
  writeFileSync(join(scratch.path, 'full', 'mine.txt'), 'mine');
  expect(() => createProject(join(scratch.path, 'full'), { type: 'cli', language: 'go' })).toThrow(
    expect.objectContaining({ code: 'WORKSPACE_NOT_EMPTY' }),
  );
});

it('refuses a kind that it does not know', () => {
  const spec = { type: 'game', language: 'go' } as unknown as Parameters<typeof createProject>[1];
  expect(() => createProject(scratch.path, spec)).toThrow(
    expect.objectContaining({
      code: 'WORKSPACE_BAD_PROJECT',
      message: 'type: Invalid option: expected one of "web-app"|"cli"|"library"',
    }),
  );
});
