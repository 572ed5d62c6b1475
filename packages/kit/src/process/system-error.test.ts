import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UnderstudyError } from '../errors.js';
import { asUnderstudyError } from './system-error.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'system-error-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function thrownBy(action: () => unknown): UnderstudyError {
  try {
    action();
  } catch (error) {
    return asUnderstudyError(error);
  }
  throw new Error('nothing was thrown');
}

it('names a file in the place of a folder', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const action of [() => mkdirSync(join(file, 'a')), () => readdirSync(file), () => mkdirSync(file)]) {
    expect(thrownBy(action)).toMatchObject({ code: 'NOT_A_FOLDER', message: expect.stringContaining(file) });
  }
});

it.skipIf(process.platform !== 'linux')('names a full disk and what cannot be written', () => {
  expect(thrownBy(() => writeFileSync('/dev/full', 'x'))).toMatchObject({ code: 'DISK_FULL' });
  expect(thrownBy(() => mkdirSync('/proc/understudy')).code).toMatch(/^(NO_FOLDER_HERE|NO_PERMISSION)$/);
});

it.each([
  ['EROFS', 'READ_ONLY'],
  ['EACCES', 'NO_PERMISSION'],
  ['EPERM', 'NO_PERMISSION'],
  ['ENOSPC', 'DISK_FULL'],
  ['EDQUOT', 'DISK_FULL'],
  ['EMFILE', 'TOO_MANY_OPEN_FILES'],
  ['ENFILE', 'TOO_MANY_OPEN_FILES'],
  ['EIO', 'SYSTEM_ERROR'],
])('%s is %s, with path and fix', (code, ours) => {
  const error = Object.assign(new Error(`${code}: no`), { code, syscall: 'open', path: '/a/b' });
  const found = asUnderstudyError(error);
  expect(found).toMatchObject({ code: ours, cause: error });
  if (ours !== 'SYSTEM_ERROR') {
    expect(found.message).toContain(`/a/b (${code}, open)`);
    expect(found.fix).toMatch(/^[A-Z].*\.$/);
  }
});

it('names a name that is too long, and one with a NUL in it', () => {
  const long = 'a'.repeat(100_000);
  const [error] = [thrownBy(() => writeFileSync(join(folder, long), ''))];
  expect(error.code).toBe('NAME_TOO_LONG');
  expect(error.message.length).toBeLessThan(5000);
  expect(thrownBy(() => spawn('true', ['a'.repeat(10_000_000)])).code).toBe('NAME_TOO_LONG');
  for (const action of [() => writeFileSync('a\0b', ''), () => spawn('a\0b'), () => spawn('true', ['a\0b'])])
    expect(thrownBy(action)).toMatchObject({ code: 'NUL_IN_NAME', fix: expect.stringContaining('\\u0000') });
});

it('takes the path that the caller knows, and leaves our own errors alone', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(asUnderstudyError(full).message).toBe('the disk is full (ENOSPC, write)');
  expect(asUnderstudyError(full, '/reports/report.md').message).toBe(
    'the disk is full: /reports/report.md (ENOSPC, write)',
  );
  const own = new UnderstudyError('BAD_FLAG', 'no');
  expect(asUnderstudyError(own)).toBe(own);
  expect(asUnderstudyError(new TypeError('x is not a function'))).toMatchObject({ code: 'INTERNAL' });
  expect(asUnderstudyError(Object.assign(new Error('bad'), { code: 'ERR_INVALID_ARG_TYPE' })).code).toBe('INTERNAL');
});
