// A board of tasks: GET /tasks gives them all, POST /tasks adds one.
import { createServer } from 'node:http';

const tasks = [];
createServer((request, response) => {
  if (request.method !== 'POST') return response.end(tasks.join('\n'));
  let text = '';
  request.on('data', (part) => (text += part));
  return request.on('end', () => response.writeHead(201).end(String(tasks.push(text))));
}).listen(process.env.PORT, '127.0.0.1', () => console.log('the board is open'));
