import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratch } from '@understudy/kit';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { holdsHome, programFolders, readableNextTo } from './folders.js';

let home: string;

beforeEach(() => {
  const scratch = createScratch('folders');
  onTestFinished(() => scratch.remove());
  home = join(scratch.path, 'me');
  mkdirSync(join(home, 'bin'), { recursive: true });
  vi.stubEnv('HOME', home);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
});

it('knows a home, and what has one in it', () => {
  for (const folder of [home, dirname(home), '/home', '/root', '/']) expect(holdsHome(folder), folder).toBe(true);
  for (const folder of [join(home, 'bin'), `${home}-2`, '/home/no such user', '/usr']) {
    expect(holdsHome(folder), folder).toBe(false);
  }
});

it('shows the folder around a file, or in a home the file and what it names', () => {
  expect(readableNextTo(join(home, 'project/a.toml'), { paths: ['../x'] })).toEqual([join(home, 'project')]);
  const texts = ['--file={{here}}/one.json', '"{{ here }}"/two; cat .ssh/id_rsa', '{{here}}'];
  const shown = ['a.toml', 'tools', 'one.json', 'two', ''].map((name) => join(home, name).replace(/\/$/, ''));
  expect(readableNextTo(join(home, 'a.toml'), { paths: ['tools'], texts })).toEqual(shown);
});

it('shows the programs of a home and not the home around them, whatever other home that is in', () => {
  expect(programFolders(join(home, 'bin'), [dirname(dirname(home))])).toEqual([join(home, 'bin')]);
});
