import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findRehearsals } from './find-rehearsals.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('find');
});
afterEach(() => scratch.remove());

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(scratch.path, path)), { recursive: true });
    writeFileSync(join(scratch.path, path), '');
  }
}
const at = (path: string) => join(scratch.path, path);

it('finds them in every format', () => {
  const endings = ['json', 'mjs', 'mts', 'toml', 'ts', 'yaml', 'yml'];
  const names = endings.map((ending) => `a.rehearsal.${ending}`);
  put(...names, 'e.rehearsal.txt', 'rehearsal.json', 'a.rehearsal.js', 'a.rehearsal.d.ts');
  expect(findRehearsals([scratch.path])).toEqual(names.map(at));
});

it('finds them in folders, in order, but not in hidden ones or node_modules', () => {
  put('b.rehearsal.toml', 'a/z.rehearsal.toml', 'a/other.toml', '.x/h.rehearsal.toml', 'node_modules/n.rehearsal.toml');
  expect(findRehearsals([scratch.path])).toEqual([at('a/z.rehearsal.toml'), at('b.rehearsal.toml')]);
});

it('takes a file that is named, whatever its ending, and each file once', () => {
  put('a.toml', 'x/b.rehearsal.toml');
  const twice = [at('a.toml'), at('x'), at('x/../x/b.rehearsal.toml')];
  expect(findRehearsals(twice)).toEqual([at('a.toml'), at('x/b.rehearsal.toml')]);
});

it('says when there is none, or no such path', () => {
  put('a.toml');
  expect(() => findRehearsals([scratch.path])).toThrow(expect.objectContaining({ code: 'NOTHING_TO_RUN' }));
  expect(() => findRehearsals([at('none')])).toThrow(expect.objectContaining({ code: 'FILE_NOT_FOUND' }));
});
