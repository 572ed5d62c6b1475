import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeFiles } from '../../../../test/helpers/rehearsal-files.js';
import { makeBundle } from './bundle.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('bundle-test');
});
afterEach(() => scratch.remove());

const at = (...path: string[]) => join(scratch.path, ...path);

it('has the parts by their paths from the folder that they share, and the same hash for the same files', () => {
  writeFiles(scratch.path, { 'tests/a.toml': 'a', 'plugin/run.sh': '#!/bin/sh', 'other/not.txt': 'not' });
  mkdirSync(at('plugin/empty'));
  symlinkSync('run.sh', at('plugin/link'));
  const bundle = makeBundle([at('tests/a.toml'), at('plugin')], at('tests'));
  expect(bundle.root).toBe(scratch.path);
  expect(bundle.files.map(({ path, kind, target }) => [path, kind, target])).toEqual([
    ['plugin', 'folder', undefined],
    ['plugin/empty', 'folder', undefined],
    ['plugin/link', 'link', 'run.sh'],
    ['plugin/run.sh', 'file', undefined],
    ['tests/a.toml', 'file', undefined],
  ]);
  expect(makeBundle([at('plugin'), at('tests/a.toml')], at('tests')).hash).toBe(bundle.hash);
  writeFileSync(at('tests/a.toml'), 'b');
  expect(makeBundle([at('tests/a.toml'), at('plugin')], at('tests')).hash).not.toBe(bundle.hash);
});

it('takes what a link out of the folder leads to, and refuses one that leads nowhere or in a circle', () => {
  writeFiles(scratch.path, { 'far/x.txt': 'x', 'near/a.txt': 'a' });
  symlinkSync(at('far'), at('near/far'));
  const files = makeBundle([at('near')], at('near')).files.map(({ path, kind }) => [path, kind]);
  expect(files).toEqual([
    ['', 'folder'],
    ['a.txt', 'file'],
    ['far', 'folder'],
    ['far/x.txt', 'file'],
  ]);
  symlinkSync(at('near'), at('near/self'));
  expect(() => makeBundle([at('near')], at('near'))).toThrow('which it lies in');
  rmSync(at('near/self'));
  symlinkSync(at('nowhere'), at('near/nowhere'));
  expect(() => makeBundle([at('near')], at('near'))).toThrow('leads nowhere');
});

it('has limits for one file and for all', () => {
  writeFiles(scratch.path, { 'a.txt': 'x'.repeat(100), 'b.txt': 'x'.repeat(100) });
  const limits = { fileBytes: 150, totalBytes: 150 };
  expect(makeBundle([at('a.txt')], scratch.path, limits).bytes).toBe(100);
  expect(() => makeBundle([at('a.txt'), at('b.txt')], scratch.path, limits)).toThrow('the limit of a bundle');
  expect(() => makeBundle([at('a.txt')], scratch.path, { ...limits, fileBytes: 50 })).toThrow(at('a.txt'));
});
