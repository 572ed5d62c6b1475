import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Projects } from './projects.js';

const spec = { type: 'cli', language: 'python' } as const;
let scratch: Scratch;
let projects: Projects;

beforeEach(() => {
  scratch = createScratch('projects');
  for (const name of ['home', 'root', 'other']) mkdirSync(join(scratch.path, name));
  projects = new Projects(join(scratch.path, 'home'), [join(scratch.path, 'root')]);
});

afterEach(() => scratch.remove());

it('makes a project in its home unless told where', () => {
  const { folder } = projects.create(spec, undefined);
  expect(folder.startsWith(projects.home)).toBe(true);
  expect(projects.create(spec, join(scratch.path, 'root/a/b')).folder).toBe(join(scratch.path, 'root/a/b'));
});

it('goes nowhere but below its roots', () => {
  symlinkSync(join(scratch.path, 'other'), join(scratch.path, 'root/link'));
  for (const path of [join(scratch.path, 'other/x'), '../other/x', join(scratch.path, 'root/link/x'), '/', 'a\0b']) {
    expect(() => projects.create(spec, path), path).toThrow(/outside/);
  }
  expect(() => projects.create(spec, join(scratch.path, 'root'))).toThrow(/outside/);
  expect(readdirSync(join(scratch.path, 'other'))).toEqual([]);
});

it('removes the projects of its own home, and nothing that the user named', () => {
  const root = join(scratch.path, 'root');
  mkdirSync(join(root, 'theirs'));
  mkdirSync(join(root, 'empty'));
  writeFileSync(join(root, 'theirs/keep.txt'), 'mine\n');
  const own = projects.create(spec, undefined).folder;
  const empty = projects.empty();
  const named = [
    projects.create(spec, join(root, 'new/project')).folder,
    projects.create(spec, join(root, 'empty')).folder,
  ];
  projects.addFiles(join(root, 'theirs'), [{ path: 'src/added.txt', content: 'x' }]);
  expect(projects.clear()).toEqual({
    removed: expect.arrayContaining([own, empty]),
    kept: [...named, join(root, 'theirs')].map((path) => ({ path, reason: 'you named this folder' })),
  });
  expect([own, empty].filter(existsSync)).toEqual([]);
  expect(named.flatMap((folder) => readdirSync(folder))).toContain('pyproject.toml');
  expect(readdirSync(join(root, 'theirs'))).toEqual(['keep.txt', 'src']);
});

it('makes no second repository', async () => {
  const { folder } = projects.create(spec, undefined);
  const { files } = await projects.initRepository(folder);
  expect(files).toBeGreaterThan(3);
  await expect(projects.initRepository(folder)).rejects.toThrow(/already/);
});
