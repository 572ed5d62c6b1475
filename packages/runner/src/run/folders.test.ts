import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { testEntry } from '../../../../test/helpers/test-entry.js';
import { withFolderLock } from './folder-lock.js';
import { scratchFolders } from './folders.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('folders');
});
afterEach(() => scratch.remove());

function keep(round: number): Promise<string> {
  const folder = scratchFolders(join(scratch.path, 'kept'))({ ...testEntry('a'), round });
  writeFileSync(join(folder.path, 'events.jsonl'), '');
  return folder.keep();
}

it('keeps the rounds of one entry apart', async () => {
  expect([await keep(1), await keep(2)]).toEqual([
    join(scratch.path, 'kept', 'a'),
    join(scratch.path, 'kept', 'a.round-2'),
  ]);
  expect(readdirSync(join(scratch.path, 'kept', 'a'))).toEqual(['events.jsonl']);
});

it('replaces what an earlier run left', async () => {
  const folder = await keep(1);
  writeFileSync(join(folder, 'old'), '');
  await keep(1);
  expect(existsSync(join(folder, 'old'))).toBe(false);
});

it('removes the folder in which the entry was played', async () => {
  const folder = scratchFolders(join(scratch.path, 'kept'))(testEntry('a'));
  await folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

it('keeps nothing behind a link', async () => {
  const other = join(scratch.path, 'other');
  mkdirSync(join(other, 'a'), { recursive: true });
  symlinkSync(other, join(scratch.path, 'kept'));
  await expect(keep(1)).rejects.toThrow(/is a link/);
  expect(readdirSync(other)).toEqual(['a']);
});

it('waits while another run keeps what it played, and refuses by name after a time', async () => {
  const artifacts = join(scratch.path, 'kept');
  let release = () => {};
  const other = new Promise<void>((resolve) => {
    release = resolve;
  });
  const messages: string[] = [];
  const held = withFolderLock(artifacts, () => other);
  const kept = keep(1);
  const refused = withFolderLock(artifacts, async () => {}, { waitMs: 0, onWait: (message) => messages.push(message) });
  await expect(refused).rejects.toMatchObject({
    code: 'RUN_FOLDER_LOCKED',
    message: `process ${process.pid} holds the lock ${join(artifacts, '.lock')} and does not release it`,
  });
  expect(messages).toEqual([`waiting for process ${process.pid}, which uses ${artifacts}`]);
  expect(readdirSync(artifacts)).toEqual(['.lock']);
  release();
  await held;
  await kept;
  expect(readdirSync(artifacts)).toEqual(['a']);
});

it('names what is too large to keep', async () => {
  const folder = scratchFolders(join(scratch.path, 'kept'))(testEntry('a'));
  writeFileSync(join(folder.path, 'large'), '');
  truncateSync(join(folder.path, 'large'), 3 * 1024 ** 3);
  writeFileSync(join(folder.path, 'small'), '');
  const kept = await folder.keep();
  await folder.remove();
  expect(readdirSync(kept).sort()).toEqual(['small', 'too-large-to-keep.txt']);
  expect(readFileSync(join(kept, 'too-large-to-keep.txt'), 'utf8')).toBe('large: 3221225472 bytes\n');
});

it('keeps no FIFO, and no link to what is elsewhere', async () => {
  const folder = scratchFolders(join(scratch.path, 'kept-plain'))(testEntry('a'));
  writeFileSync(join(scratch.path, 'private'), 'private');
  writeFileSync(join(folder.path, 'small'), '');
  execFileSync('mkfifo', [join(folder.path, 'pipe')]);
  symlinkSync('small', join(folder.path, 'near'));
  symlinkSync(join(scratch.path, 'private'), join(folder.path, 'far'));
  const kept = await folder.keep();
  await folder.remove();
  expect(readdirSync(kept).sort()).toEqual(['near', 'small', 'too-large-to-keep.txt']);
  const named = readFileSync(join(kept, 'too-large-to-keep.txt'), 'utf8').trim().split('\n').sort();
  expect(named).toEqual(['far', 'pipe'].map((name) => `${name}: no file, or a link to elsewhere`));
});
