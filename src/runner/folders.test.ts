import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testEntry } from '../../test/helpers/test-entry.js';
import { createScratch, type Scratch } from '../process/scratch.js';
import { scratchFolders } from './folders.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('folders');
});
afterEach(() => scratch.remove());

function keep(round: number): string {
  const folder = scratchFolders(join(scratch.path, 'kept'))({ ...testEntry('a'), round });
  writeFileSync(join(folder.path, 'events.jsonl'), '');
  return folder.keep();
}

it('keeps the rounds of one entry apart', () => {
  expect([keep(1), keep(2)]).toEqual([join(scratch.path, 'kept', 'a'), join(scratch.path, 'kept', 'a.round-2')]);
  expect(readdirSync(join(scratch.path, 'kept', 'a'))).toEqual(['events.jsonl']);
});

it('replaces what an earlier run left', () => {
  const folder = keep(1);
  writeFileSync(join(folder, 'old'), '');
  keep(1);
  expect(existsSync(join(folder, 'old'))).toBe(false);
});

it('removes the folder in which the entry was played', async () => {
  const folder = scratchFolders(join(scratch.path, 'kept'))(testEntry('a'));
  await folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

it('keeps nothing behind a link', () => {
  const other = join(scratch.path, 'other');
  mkdirSync(join(other, 'a'), { recursive: true });
  symlinkSync(other, join(scratch.path, 'kept'));
  expect(() => keep(1)).toThrow(/is a link/);
  expect(readdirSync(other)).toEqual(['a']);
});
