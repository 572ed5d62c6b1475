// The scripted model server beside @copilotkit/aimock: each in a process of its own, the same
// requests over raw sockets, in turns. `npm ci --prefix bench` fetches what is compared with.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

export const title = 'Scripted model server beside @copilotkit/aimock (streamed answers, 40 KB requests)';

const CLIENTS = [1, 16, 128];
const ROUNDS = 11;
const ROUND_MS = 700;
const SOAK_REQUESTS = 100_000;
const TEXT = 'I have looked at the login and fixed it; the tests pass now. '.repeat(4).trim();
const PIECE = 48;
const KEY = 'sk-understudy-benchmark';

/** A request of the size and shape that Claude Code sends. */
function claudeCodeBody() {
  const lorem = 'You are an agent that works with the user toward their goals, with these tools — and these rules. ';
  const tool = (name) => ({
    name,
    description: lorem.repeat(17),
    input_schema: {
      type: 'object',
      properties: Object.fromEntries(
        ['file_path', 'content', 'offset', 'limit'].map((key) => [key, { type: 'string', description: lorem }]),
      ),
      required: ['file_path'],
    },
  });
  return JSON.stringify({
    model: 'claude-opus-5-5',
    max_tokens: 128000,
    stream: true,
    metadata: { user_id: '{"device_id":"0"}' },
    system: [
      { type: 'text', text: 'You are an agent.' },
      { type: 'text', text: lorem.repeat(60) },
    ],
    tools: ['Agent', 'Bash', 'Edit', 'Read', 'Skill', 'Write', 'WebFetch', 'NotebookEdit', 'TaskStop', 'Monitor'].map(
      tool,
    ),
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: `<system-reminder>\n${lorem.repeat(6)}</system-reminder>\n` },
          { type: 'text', text: 'please fix the login of the web application' },
        ],
      },
      {
        role: 'system',
        content: [{ type: 'text', text: `# Environment\n - Primary working directory: /work\n${lorem.repeat(100)}` }],
      },
    ],
  });
}

const BODY = Buffer.from(claudeCodeBody());
let sessions = 0;

/** Each request is the first of a new session, as when a test starts the CLI. */
function ask(socket) {
  const session = `00000000-0000-4000-8000-${String(++sessions).padStart(12, '0')}`;
  socket.cork();
  socket.write(
    'POST /v1/messages?beta=true HTTP/1.1\r\nhost: 127.0.0.1\r\nuser-agent: claude-cli/2.1.325 (external, sdk-cli)\r\n' +
      `x-claude-code-session-id: ${session}\r\nx-api-key: ${KEY}\r\nanthropic-version: 2023-06-01\r\n` +
      `content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n`,
    'latin1',
  );
  socket.write(BODY);
  socket.uncork();
}

const END = Buffer.from('0\r\n\r\n');

/** One client on one connection: asks again as soon as the answer is whole. */
async function client(port, until, latencies) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  await new Promise((resolve, reject) => {
    let started = performance.now();
    let tail = Buffer.alloc(0);
    let head = '';
    socket.on('data', (chunk) => {
      if (head === '') head = chunk.toString('latin1', 0, 15);
      tail = chunk.length >= 5 ? chunk.subarray(-5) : Buffer.concat([tail, chunk]).subarray(-5);
      if (!tail.equals(END)) return;
      if (head !== 'HTTP/1.1 200 OK') return reject(new Error(`the server answered ${head}`));
      const now = performance.now();
      latencies.push(now - started);
      head = '';
      if (!until(now)) return resolve();
      started = now;
      ask(socket);
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed the connection')));
    ask(socket);
  });
  socket.removeAllListeners('close');
  socket.destroy();
}

async function load(port, clients, until) {
  const latencies = [];
  const started = performance.now();
  await Promise.all(Array.from({ length: clients }, () => client(port, until, latencies)));
  const seconds = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  const answers = latencies.length;
  return { answers, perSecond: answers / seconds, p50: latencies[Math.floor(answers / 2)] };
}

const NAMES = ['understudy', 'aimock', 'bare'];

const SERVERS = {
  async understudy() {
    const { defineScenario } = await import('../dist/index.js');
    const { startModelServer } = await import('../dist/model-server/index.js');
    const scenario = defineScenario({
      responses: [{ pattern: { type: 'contains', text: 'fix the login' }, response: TEXT }],
    });
    return (await startModelServer({ scenario, key: KEY })).port;
  },
  /** Reads the request to its end, and answers with a stream of about the same size. Nothing can be faster on Node. */
  async bare() {
    const answer = `event: message\ndata: ${JSON.stringify({ text: TEXT.repeat(7) })}\n\n`;
    const server = createServer((request, response) => {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        Buffer.concat(chunks);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(answer);
        response.end();
      });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server.address().port;
  },
  async aimock() {
    const { LLMock } = await import('@copilotkit/aimock');
    const mock = new LLMock({ port: 0, chunkSize: PIECE });
    mock.onMessage('fix the login', { content: TEXT });
    await mock.start();
    return Number(new URL(mock.url).port);
  },
};

async function start(name) {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: '' };
  const child = fork(fileURLToPath(import.meta.url), [name], { env, execArgv: ['--expose-gc'] });
  const port = await inquire(child, 'port');
  const ask = (question) => () => inquire(child, question);
  return { port, memory: ask('memory'), cpu: ask('cpu'), stop: () => child.kill() };
}

function inquire(child, question) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`the server ended with ${code}`));
    child.once('exit', ended).once('message', (answer) => {
      child.off('exit', ended);
      resolve(answer);
    });
    child.send(question);
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

export async function bench() {
  if (!existsSync(new URL('./node_modules/@copilotkit/aimock', import.meta.url))) {
    throw new Error('@copilotkit/aimock is not there: run `npm ci --prefix bench` first');
  }
  const ours = await start('understudy');
  const theirs = await start('aimock');
  const bare = await start('bare');
  const servers = { ours, theirs, bare };
  const rows = [];
  const ratios = [];
  for (const clients of CLIENTS) {
    const rounds = [];
    for (let round = -1; round < ROUNDS; round++) {
      const result = {};
      // In turns, and each first as often as second: what else the machine does hits both alike.
      const order = round % 2 === 0 ? ['ours', 'theirs', 'bare'] : ['bare', 'theirs', 'ours'];
      for (const who of order) {
        const { port, cpu } = servers[who];
        const before = await cpu();
        const end = performance.now() + ROUND_MS;
        const loaded = await load(port, clients, (now) => now < end);
        result[who] = { ...loaded, cpu: ((await cpu()) - before) / loaded.answers };
      }
      if (round >= 0) rounds.push(result);
    }
    const of = (who, key) => median(rounds.map((round) => round[who][key]));
    const ratio = (key, than = 'theirs') => median(rounds.map((round) => round.ours[key] / round[than][key]));
    const whos = ['ours', 'theirs', 'bare'];
    rows.push([clients, ...['perSecond', 'p50', 'cpu'].flatMap((key) => whos.map((who) => of(who, key)))]);
    const target = { target: clients === 16 ? 4 : 2, better: 'higher' };
    ratios.push({ name: `answers/s with ${clients} clients, of aimock's`, value: ratio('perSecond'), ...target });
    ratios.push({
      name: `p50 latency with ${clients} clients, of aimock's`,
      value: ratio('p50'),
      target: 0.5,
      better: 'lower',
    });
    if (clients === 16) {
      // What else the machine does is not in it.
      const cpu = { value: ratio('cpu'), target: 0.25, better: 'lower' };
      ratios.push({ name: "processor time of the server with 16 clients, of aimock's", ...cpu });
      const name = 'answers/s with 16 clients, of a bare server that reads the same';
      ratios.push({ name, value: ratio('perSecond', 'bare'), target: 0.7, better: 'higher' });
    }
  }
  theirs.stop();
  bare.stop();
  ratios.push(await soak(ours));
  ours.stop();
  return {
    columns: ['clients', ...['/s', 'p50 ms', 'processor µs'].flatMap((what) => NAMES.map((name) => `${name} ${what}`))],
    rows,
    ratios,
  };
}

/** What is left in memory after as many requests again, when the caches are full. */
async function soak(server) {
  const memoryAfter = async (requests) => {
    let left = requests;
    await load(server.port, 16, () => --left > 0);
    return server.memory();
  };
  const early = await memoryAfter(SOAK_REQUESTS / 10);
  const late = await memoryAfter(SOAK_REQUESTS);
  const name = `memory after ${SOAK_REQUESTS} more requests, of what it was (${Math.round(early)} → ${Math.round(late)} MB)`;
  return { name, value: late / early, target: 1.1, better: 'lower' };
}

/** What is held after collecting garbage, in MB; buffers are only let go of at the second time. */
async function keptMemory() {
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

/** The processor time of this process so far, in µs. */
function ownCpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const [, program, role] = process.argv;
if (program === fileURLToPath(import.meta.url) && role in SERVERS) {
  const port = await SERVERS[role]();
  const answers = { port: () => port, memory: keptMemory, cpu: ownCpu };
  process.on('message', async (question) => {
    process.send(await answers[question]());
  });
  process.on('disconnect', () => process.exit(0));
}
