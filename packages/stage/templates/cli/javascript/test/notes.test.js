import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { run } from '../src/cli.js';
import { NoteStore } from '../src/store.js';

let folder;
let store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notes-'));
  store = new NoteStore(join(folder, 'notes.json'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('lists nothing at first', () => {
  assert.equal(run(['list'], store), '');
});

test('lists notes in order', () => {
  run(['add', 'milk'], store);
  run(['add', 'bread'], store);
  assert.equal(run(['list'], store), '1. milk\n2. bread\n');
});

test('removes by number', () => {
  run(['add', 'milk'], store);
  assert.equal(run(['remove', '1'], store), 'removed: milk\n');
  assert.equal(run(['list'], store), '');
});

test('refuses an empty note', () => {
  assert.throws(() => run(['add', '  '], store), /needs a text/);
});

test('refuses a number that is not there', () => {
  assert.throws(() => run(['remove', '3'], store), /no note 3/);
});

test('explains itself when the command is unknown', () => {
  assert.throws(() => run(['burn'], store), /usage/);
});
