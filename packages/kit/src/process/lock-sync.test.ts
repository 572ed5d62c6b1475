import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withLockSync } from './lock-sync.js';
import { createScratch } from './scratch.js';

it('holds the lock while the work runs, takes over one that was left behind, and gives up on one that is held', async () => {
  const scratch = createScratch('lock-sync');
  const file = join(scratch.path, 'folder', 'state.json');
  const lock = `${file}.lock`;
  expect(withLockSync(file, { longestMs: 1_000 }, () => existsSync(lock))).toBe(true);
  expect(existsSync(lock)).toBe(false);
  writeFileSync(lock, '');
  utimesSync(lock, 0, 0);
  expect(withLockSync(file, { longestMs: 1_000 }, () => 'done')).toBe('done');
  writeFileSync(lock, '');
  // A clock that was set back.
  utimesSync(lock, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
  const locked = (path: string) => new Error(`locked: ${path}`);
  expect(() => withLockSync(file, { longestMs: 20, locked }, () => 'done')).toThrow(`locked: ${lock}`);
  expect(existsSync(lock)).toBe(true);
  await scratch.remove();
});
