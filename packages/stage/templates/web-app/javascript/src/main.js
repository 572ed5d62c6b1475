import { createServer } from './server.js';

const port = Number(process.env.PORT ?? 8000);
createServer().listen(port, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + port));
