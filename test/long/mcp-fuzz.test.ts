import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { Child } from '../../packages/kit/src/process/child.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { HttpServer } from '../../src/mcp/http/server.js';
import { tally } from '../helpers/attack.js';
import { malformedMessage } from '../helpers/malformed-rpc.js';
import { fuzzInputs, seeded, seedOr } from '../helpers/seeded.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

const SEED = seedOr(20_261_115);
const MESSAGES = fuzzInputs(1_000);
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'start',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
};
const GOOD_CALL = {
  jsonrpc: '2.0',
  method: 'tools/call',
  params: { name: 'assert_contains_keywords', arguments: { text: 'still here', keywords: ['here'] } },
};

it(`survives ${MESSAGES} malformed messages on its pipes (seed ${SEED})`, { timeout: 180_000 }, async () => {
  const random = seeded(SEED);
  const answers = new Map<string, string>();
  const child = await Child.start({
    command: [process.execPath, UNDERSTUDY, 'mcp'],
    cwd: process.cwd(),
    env: scrubbedEnvironment({ HOME: process.env['HOME'] ?? '/' }),
    input: 'open',
    onLine: (line) => {
      const { id } = JSON.parse(line) as { id?: string };
      if (typeof id === 'string') answers.set(id, line);
    },
  });
  onTestFinished(async () => void (await child.kill('the test is over')));
  child.write(`${JSON.stringify(INITIALIZE)}\n`);
  await expect.poll(() => answers.has('start'), { timeout: 30_000 }).toBe(true);
  for (let count = 1; count <= MESSAGES; count++) {
    // A line break inside a message would make two of it.
    child.write(`${malformedMessage(random).replaceAll('\n', ' ')}\n`);
    if (count % 250 > 0) continue;
    // Between them it does what it should, and in time.
    const id = `good-${count}`;
    child.write(`${JSON.stringify({ ...GOOD_CALL, id })}\n`);
    await expect
      .poll(() => answers.get(id), { timeout: 20_000, message: `seed ${SEED}, message ${count}` })
      .toContain('"passed":true');
  }
  expect(child.hasEnded).toBe(false);
  expect(residentMegabytes(child.pid)).toBeLessThan(500);
  child.closeInput();
  expect(await child.exitWithin(20_000, 'it did not end')).toMatchObject({ code: 0 });
  tally('malformed messages', 'mcp', MESSAGES);
});

it(`survives ${MESSAGES} malformed messages over HTTP (seed ${SEED})`, { timeout: 300_000 }, async () => {
  const random = seeded(SEED + 1);
  const server = await HttpServer.start({
    ...{ version: 'test', port: 0, host: '127.0.0.1', token: undefined, hosts: [], roots: [] },
  });
  onTestFinished(() => server.close('the test is over'));
  const url = `${server.origin}/mcp`;
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const first = await fetch(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) });
  const session = first.headers.get('mcp-session-id') ?? '';
  await first.text();
  const statuses = new Map<number, number>();
  const send = async (body: string) => {
    const own = random();
    const answer = await fetch(own < 0.1 ? `${url}/fuzz` : url, {
      method: 'POST',
      body,
      headers: {
        ...headers,
        ...(own < 0.8 ? { 'mcp-session-id': session } : {}),
        ...(own > 0.95 ? { 'mcp-protocol-version': '2026-07-28' } : {}),
      },
      signal: AbortSignal.timeout(20_000),
    });
    // A stream may stay open: its head is what counts.
    if (answer.headers.get('content-type')?.includes('event-stream') === true) await answer.body?.cancel();
    else await answer.text();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  };
  for (let count = 0; count < MESSAGES; count += 20) {
    await Promise.all(Array.from({ length: 20 }, () => send(malformedMessage(random))));
  }
  const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  expect(sent).toBe(MESSAGES);
  expect(
    [...statuses.keys()].filter((status) => status >= 500),
    JSON.stringify([...statuses]),
  ).toEqual([]);
  expect((await fetch(`${server.origin}/health`)).status).toBe(200);
  const fresh = await fetch(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) });
  const good = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'mcp-session-id': fresh.headers.get('mcp-session-id') ?? '' },
    body: JSON.stringify({ ...GOOD_CALL, id: 1 }),
  });
  expect(await good.text()).toContain('"passed":true');
  tally('malformed messages', 'mcp --http', MESSAGES);
});

function residentMegabytes(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/status`, 'utf8').match(/VmRSS:\s+(\d+) kB/)?.[1];
  return Number(pages) / 1024;
}
