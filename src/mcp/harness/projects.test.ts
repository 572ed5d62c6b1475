import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../process/scratch.js';
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

it('removes what it made, the folders above it too, and nothing else', () => {
  const root = join(scratch.path, 'root');
  mkdirSync(join(root, 'theirs'));
  writeFileSync(join(root, 'theirs/keep.txt'), 'mine\n');
  projects.create(spec, join(root, 'new/project'));
  projects.addFiles(join(root, 'theirs'), [{ path: 'src/added.txt', content: 'x' }]);
  expect(existsSync(join(root, 'theirs/src/added.txt'))).toBe(true);
  projects.clear();
  expect(readdirSync(root)).toEqual(['theirs']);
  expect(readdirSync(join(root, 'theirs'))).toEqual(['keep.txt']);
});

it('keeps what cannot be removed safely, says why, and removes the rest', () => {
  const root = join(scratch.path, 'root');
  mkdirSync(join(root, 'theirs'));
  mkdirSync(join(root, 'linked'));
  for (const name of ['theirs', 'linked']) projects.addFiles(join(root, name), [{ path: 'src/a.txt', content: 'x' }]);
  const made = projects.create(spec, undefined).folder;
  rmSync(join(root, 'linked/src'), { recursive: true });
  symlinkSync(join(scratch.path, 'other'), join(root, 'linked/src'));
  expect(projects.clear().kept).toEqual([
    { path: join(root, 'linked'), reason: expect.stringContaining('goes through a link') },
  ]);
  expect(existsSync(join(root, 'theirs/src'))).toBe(false);
  expect(existsSync(made)).toBe(false);
});

it('makes no second repository', async () => {
  const { folder } = projects.create(spec, undefined);
  const { files } = await projects.initRepository(folder);
  expect(files).toBeGreaterThan(3);
  await expect(projects.initRepository(folder)).rejects.toThrow(/already/);
});
