import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { createServer } from '../src/server.js';

const server = createServer();
let address;

before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = 'http://127.0.0.1:' + server.address().port;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

function add(value) {
  return fetch(address + '/api/tasks', { method: 'POST', body: JSON.stringify(value) });
}

test('lists what was added', async () => {
  assert.equal((await add({ title: 'write' })).status, 201);
  const tasks = await (await fetch(address + '/api/tasks')).json();
  assert.equal(tasks[0].title, 'write');
});

test('refuses a task without a title', async () => {
  assert.equal((await add({ name: 'write' })).status, 400);
});

test('serves the page', async () => {
  assert.match(await (await fetch(address + '/')).text(), /<h1>/);
});

test('knows no other pages', async () => {
  assert.equal((await fetch(address + '/secret')).status, 404);
});
