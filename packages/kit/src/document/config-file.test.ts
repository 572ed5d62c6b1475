import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScratch, type Scratch } from '../process/scratch.js';
import { configFile, configFileOf, searchConfigFor, useConfigFile } from './config-file.js';

let scratch: Scratch;
let root: string;
beforeEach(() => {
  scratch = createScratch('config-file');
  root = realpathSync(scratch.path);
  mkdirSync(join(root, 'repository/.git'), { recursive: true });
  mkdirSync(join(root, 'repository/one/deep'), { recursive: true });
  mkdirSync(join(root, 'repository/two'), { recursive: true });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  useConfigFile(undefined);
  searchConfigFor([]);
  await scratch.remove();
});

const put = (path: string) => {
  const file = join(root, path, 'understudy.toml');
  writeFileSync(file, '');
  return relative('.', file);
};

it('is found in the folder and above, as far as the top of the repository', () => {
  put('.');
  expect(configFileOf(join(root, 'repository/one/deep'))).toBeUndefined();
  const top = put('repository');
  expect(configFileOf(join(root, 'repository/one/deep'))).toBe(top);
  const one = put('repository/one');
  expect(configFileOf(join(root, 'repository/one/deep'))).toBe(one);
});

it('is not searched for in the home of the user, unless that is the folder', () => {
  const file = put('.');
  mkdirSync(join(root, 'plain'));
  expect(configFileOf(join(root, 'plain'))).toBe(file);
  vi.stubEnv('HOME', root);
  expect(configFileOf(join(root, 'plain'))).toBeUndefined();
  expect(configFileOf(root)).toBe(file);
});

it.runIf(process.getuid?.() === 0)('is not taken from another user', async () => {
  const { chownSync } = await import('node:fs');
  const file = put('repository');
  chownSync(file, 12_345, 12_345);
  expect(configFileOf(join(root, 'repository/one'))).toBeUndefined();
  chownSync(join(root, 'repository/one'), 12_345, 12_345);
  expect(configFileOf(join(root, 'repository/one'))).toBe(file);
});

it('is that of the folder that holds all paths', () => {
  const top = put('repository');
  const one = put('repository/one');
  searchConfigFor([join(root, 'repository/one/deep'), join(root, 'repository/one')]);
  expect(configFile()).toBe(one);
  searchConfigFor([join(root, 'repository/one/deep'), join(root, 'repository/two')]);
  expect(configFile()).toBe(top);
});

it('is the named one everywhere', () => {
  put('repository');
  useConfigFile('ci.toml');
  expect(configFileOf(join(root, 'repository'))).toBe('ci.toml');
  expect(configFile()).toBe('ci.toml');
});
