// The MCP server over stdio: a call of an assertion tool beside a bare echo tool of the same SDK, in
// turns, and the time from start to the first list of tools beside Node's own start.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const title = 'MCP server over stdio beside a bare echo tool of the same SDK';

const PROGRAM = fileURLToPath(new URL('../dist/bin/understudy.js', import.meta.url));
const ECHO = fileURLToPath(new URL('mcp-echo.mjs', import.meta.url));
const ROUNDS = 15;
const CALLS = 200;
const STARTS = 15;
const TEXT = 'I have investigated the code systematically. Next, run /plan to go on with the implementation.';
const environment = { PATH: process.env.PATH, HOME: process.env.HOME };

/** A server on pipes, and a way to ask it something. */
function open(args) {
  const child = spawn(process.execPath, args, { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  let next = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(JSON.stringify(error));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  const ask = (method, params) =>
    new Promise((resolve) => {
      next++;
      waiting.set(next, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: next, method, params })}\n`);
    });
  const initialize = async () => {
    const clientInfo = { name: 'bench', version: '1' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  };
  const close = () =>
    new Promise((resolve) => {
      child.once('exit', resolve);
      child.stdin.end();
    });
  return { ask, initialize, close };
}

async function callTime({ ask }, name, args) {
  const started = performance.now();
  for (let call = 0; call < CALLS; call++) {
    const { isError } = await ask('tools/call', { name, arguments: args });
    if (isError) throw new Error(`${name} failed`);
  }
  return (performance.now() - started) / CALLS;
}

async function timeToList(args) {
  const started = performance.now();
  const server = open(args);
  await server.initialize();
  await server.ask('tools/list', {});
  const milliseconds = performance.now() - started;
  await server.close();
  return milliseconds;
}

function timeOfNode() {
  return new Promise((resolve) => {
    const started = performance.now();
    spawn(process.execPath, ['-e', '0'], { env: environment, stdio: 'ignore' }).once('exit', () =>
      resolve(performance.now() - started),
    );
  });
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

export async function bench() {
  const [ours, bare] = [open([PROGRAM, 'mcp']), open([ECHO])];
  await Promise.all([ours.initialize(), bare.initialize()]);
  const keywords = { text: TEXT, keywords: ['systematic', 'investigate'] };
  const times = { ours: [], suggested: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.bare.push(await callTime(bare, 'echo', { text: TEXT }));
    times.ours.push(await callTime(ours, 'assert_contains_keywords', keywords));
    times.suggested.push(await callTime(ours, 'assert_command_suggested', { response: TEXT, command_name: '/plan' }));
  }
  await Promise.all([ours.close(), bare.close()]);
  const start = { node: [], ours: [], bare: [] };
  for (let count = 0; count < STARTS; count++) {
    start.node.push(await timeOfNode());
    start.bare.push(await timeToList([ECHO]));
    start.ours.push(await timeToList([PROGRAM, 'mcp']));
  }
  const echo = median(times.bare);
  return {
    columns: ['what', 'ms'],
    rows: [
      ['a call of a bare echo tool', echo],
      ['a call of assert_contains_keywords', median(times.ours)],
      ['a call of assert_command_suggested', median(times.suggested)],
      ['node -e 0', median(start.node)],
      ['bare echo server (not bundled), start to tools/list', median(start.bare)],
      ['understudy mcp, start to tools/list', median(start.ours)],
    ],
    ratios: [
      { name: 'a call beside the echo tool', value: median(times.ours) / echo, target: 1.3, better: 'lower' },
      {
        name: 'start to tools/list, ms beyond Node',
        value: median(start.ours) - median(start.node),
        target: 150,
        better: 'lower',
      },
    ],
  };
}
