import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskStore } from '../src/store.js';

test('numbers tasks from one', () => {
  const store = new TaskStore();
  assert.deepEqual([store.add('write').id, store.add('test').id], [1, 2]);
});

test('refuses an empty title', () => {
  assert.throws(() => new TaskStore().add('   '), /needs a title/);
});

test('finishes a task', () => {
  const store = new TaskStore();
  store.add('write');
  store.finish(1);
  assert.deepEqual(store.all(), [{ id: 1, title: 'write', done: true }]);
});

test('does not finish what is not there', () => {
  assert.throws(() => new TaskStore().finish(7), /no task 7/);
});
