import { readFile } from 'node:fs/promises';
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
