import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../document/json.js';
import { createScratch } from '../../../process/scratch.js';
import { FileHistory } from './file-history.js';

function history() {
  const scratch = createScratch('history');
  onTestFinished(() => scratch.remove());
  const [cwd, folder] = ['work', 'copies'].map((name) => join(scratch.path, name)) as [string, string];
  for (const made of [cwd, folder]) mkdirSync(made);
  const lines: JsonObject[] = [];
  const write = (line: JsonObject): void => {
    lines.push(line);
  };
  const owner = { cwd, folder, now: () => '2026-01-01T00:00:00Z', write };
  return { cwd, folder, lines, owner, files: new FileHistory(owner) };
}

it('goes back in a later process', () => {
  const { cwd, folder, lines, owner, files } = history();
  const file = join(cwd, 'a.txt');
  writeFileSync(file, 'one');
  files.begin('first');
  files.track(file, 'm');
  writeFileSync(file, 'two');
  const later = new FileHistory(owner);
  later.restore(lines, folder);
  expect(later.preview('first')).toEqual({ filesChanged: [file], insertions: 1, deletions: 1 });
  expect(later.rewind('first')).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe('one');
});

it('looks for copies in its own folder only, whatever a transcript says', () => {
  const { cwd, folder, files } = history();
  writeFileSync(join(cwd, 'a.txt'), 'mine');
  writeFileSync(join(cwd, 'other.txt'), 'secret');
  const backup = { backupFileName: '../work/other.txt', version: 1, backupTime: '', realParentDir: cwd };
  const snapshot = { messageId: 'first', trackedFileBackups: { 'a.txt': backup }, timestamp: '' };
  files.restore([{ type: 'file-history-snapshot', messageId: 'first', snapshot }], folder);
  expect(() => files.rewind('first')).toThrow('No file checkpoint found for this message.');
  expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('mine');
});

it('leaves links alone', () => {
  const { cwd, files } = history();
  const file = join(cwd, 'a.txt');
  writeFileSync(file, 'one');
  writeFileSync(join(cwd, 'b.txt'), 'b');
  files.begin('first');
  files.track(file, 'm');
  rmSync(file);
  symlinkSync('b.txt', file);
  expect(files.rewind('first')).toBe(1);
  expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('b');
});
