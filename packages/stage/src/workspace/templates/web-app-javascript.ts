import type { Template } from './template.js';
import { pageFiles } from './web-page.js';

const store = `/** Tasks in memory, with the rules that hold for them. */
export class TaskStore {
  #tasks = new Map();
  #nextId = 1;

  add(title) {
    const text = typeof title === 'string' ? title.trim() : '';
    if (text === '') throw new RangeError('a task needs a title');
    const task = { id: this.#nextId++, title: text, done: false };
    this.#tasks.set(task.id, task);
    return task;
  }

  finish(id) {
    const task = this.#tasks.get(id);
    if (task === undefined) throw new RangeError('there is no task ' + id);
    task.done = true;
    return task;
  }

  all() {
    return [...this.#tasks.values()];
  }
}
`;

const server = `import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { TaskStore } from './store.js';

const PAGES = {
  '/': ['index.html', 'text/html'],
  '/styles.css': ['styles.css', 'text/css'],
  '/app.js': ['app.js', 'text/javascript'],
};

async function readJson(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return JSON.parse(body);
}

function answer(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function addTask(store, request, response) {
  try {
    const { title } = await readJson(request);
    answer(response, 201, store.add(title));
  } catch {
    answer(response, 400, { error: 'a task needs a title' });
  }
}

/** The web server: a JSON interface and the static page. */
export function createServer(store = new TaskStore()) {
  return createHttpServer(async (request, response) => {
    const { method, url } = request;
    if (url === '/api/tasks' && method === 'GET') return answer(response, 200, store.all());
    if (url === '/api/tasks' && method === 'POST') return addTask(store, request, response);
    const page = method === 'GET' ? PAGES[url] : undefined;
    if (page === undefined) return answer(response, 404, { error: 'no such resource' });
    const [file, type] = page;
    response.writeHead(200, { 'content-type': type });
    response.end(await readFile(new URL('../static/' + file, import.meta.url)));
  });
}
`;

const main = `import { createServer } from './server.js';

const port = Number(process.env.PORT ?? 8000);
createServer().listen(port, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + port));
`;

const storeTest = `import assert from 'node:assert/strict';
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
`;

const serverTest = `import assert from 'node:assert/strict';
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
`;

/** A task board on node:http. */
export const webAppJavascript: Template = {
  files: ({ title, slug }) => ({
    'README.md': `# ${title}\n\nA small task board.\n\n- Run: \`PORT=8000 npm start\`\n- Test: \`npm test\`\n`,
    '.gitignore': 'node_modules/\n',
    'package.json': `${JSON.stringify(
      {
        name: slug,
        version: '0.1.0',
        private: true,
        type: 'module',
        engines: { node: '>=20' },
        scripts: { start: 'node src/main.js', test: 'node --test' },
      },
      null,
      2,
    )}\n`,
    'src/main.js': main,
    'src/server.js': server,
    'src/store.js': store,
    'test/server.test.js': serverTest,
    'test/store.test.js': storeTest,
    ...pageFiles('static', title),
  }),
  testCommand: ['node', '--test'],
  serveCommand: ['node', 'src/main.js'],
};
