import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from './scratch.js';
import { writeWhole } from './write-whole.js';

let scratch: Scratch;
const at = (...names: string[]) => join(scratch.path, ...names);
beforeEach(() => {
  scratch = createScratch('write-whole');
});
afterEach(() => scratch.remove());

it('keeps the old text and leaves nothing beside it when a piece cannot be made', () => {
  writeFileSync(at('a'), 'old');
  const pieces = (function* () {
    yield 'new';
    throw new Error('no more');
  })();
  expect(() => writeWhole(at('a'), pieces)).toThrow('no more');
  expect(readFileSync(at('a'), 'utf8')).toBe('old');
  expect(readdirSync(scratch.path)).toEqual(['a']);
});

it('keeps the mode of a file, makes programs of what is to be one, and makes folders', () => {
  writeFileSync(at('a'), 'old');
  chmodSync(at('a'), 0o644);
  writeWhole(at('a'), 'new');
  expect(statSync(at('a')).mode & 0o777).toBe(0o644);
  writeWhole(at('a'), 'new', 0o755);
  expect(statSync(at('a')).mode & 0o777).toBe(0o755);
  writeWhole(at('of/mine/a'), 'new');
  expect(statSync(at('of/mine/a')).mode & 0o777).toBe(0o600);
});

it('replaces a link, and does not write where it leads', () => {
  writeFileSync(at('elsewhere'), 'theirs');
  symlinkSync(at('elsewhere'), at('a'));
  symlinkSync(at('nothing'), at('b'));
  for (const name of ['a', 'b']) {
    writeWhole(at(name), 'new');
    expect(lstatSync(at(name)).isFile()).toBe(true);
  }
  expect(readFileSync(at('elsewhere'), 'utf8')).toBe('theirs');
  expect(existsSync(at('nothing'))).toBe(false);
});

it.skipIf(!existsSync('/proc/self/fd'))('writes to what is no name of a file as it is', () => {
  const output = openSync(at('output'), 'w');
  writeWhole(`/proc/self/fd/${output}`, 'new');
  closeSync(output);
  expect(readFileSync(at('output'), 'utf8')).toBe('new');
});
