import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, defined, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Mocks, toToolResult } from './mocks.js';
import { McpProxy } from './proxy.js';
import { withVariables } from './server-config.js';
import type { ServerFaults } from './server-faults.js';

let scratch: Scratch;
let mocks: Mocks;
let lines: string[];

interface Message {
  id?: number;
  method?: string;
  result?: { tools?: { name: string }[]; content?: unknown; isError?: boolean };
  error?: { message: string };
}
const written = (): Message[] => lines.map((line) => JSON.parse(line));

beforeEach(() => {
  scratch = createScratch('proxy');
  mocks = new Mocks(scratch.path);
  lines = [];
});

afterEach(() => scratch.remove());

let deaths: number;

function proxy(server?: { command: string; args: string[] }, faults?: ServerFaults): McpProxy {
  deaths = 0;
  const log = join(scratch.path, 'calls.jsonl');
  return new McpProxy(
    { name: 'browser', mocks: mocks.file, log, ...defined({ server, faults }) },
    { env: {}, cwd: scratch.path, write: (line) => lines.push(line), die: () => deaths++ },
  );
}

const call = (id: number, name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

/** Sends back what it receives, with the tools of a list. */
const ECHO = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const result = method === 'tools/list' ? { tools: [{ name: 'real' }] } : { content: 'from the server' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

it('answers mocked tools and passes the rest on', async () => {
  mocks.add({ tool: 'real', replace: false, result: { content: 'mocked' } });
  mocks.add({ tool: 'invented', server: 'browser', replace: false, result: { content: 'made up' } });
  mocks.add({ tool: 'foreign', server: 'other', replace: false, result: {} });
  const between = proxy({ command: process.execPath, args: ['-e', ECHO] });
  const child = await between.start();
  between.fromAgent(call(1, 'real'));
  between.fromAgent(call(2, 'other'));
  between.fromAgent(JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/list' }));
  await expect.poll(() => lines.length).toBe(3);
  between.close();
  await child?.exitWithin(5000, 'test');
  expect(written().find(({ id }) => id === 1)?.result).toEqual({ content: 'mocked' });
  expect(written().find(({ id }) => id === 2)?.result).toEqual({ content: 'from the server' });
  expect(
    written()
      .find(({ id }) => id === 3)
      ?.result?.tools?.map(({ name }) => name),
  ).toEqual(['real', 'invented']);
  const log = readFileSync(join(scratch.path, 'calls.jsonl'), 'utf8').trim().split('\n');
  expect(log.map((line) => (JSON.parse(line) as { mocked: boolean }).mocked)).toEqual([true, false]);
});

it('is the server itself where there is nobody behind it', () => {
  mocks.add({ tool: 'shot', server: 'browser', replace: true, result: { content: [] } });
  const alone = proxy();
  alone.fromAgent(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }));
  alone.fromAgent(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }));
  alone.fromAgent(call(3, 'shot'));
  alone.fromAgent(call(4, 'unknown'));
  alone.fromAgent('no json');
  expect(written().map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(written()[1]?.result?.tools?.map(({ name }) => name)).toEqual(['shot']);
  expect(written()[3]?.error?.message).toContain('not mocked');
});

it('a mock that comes later counts at once', () => {
  const alone = proxy();
  alone.fromAgent(call(1, 'shot'));
  mocks.add({ tool: 'shot', server: 'browser', replace: true, result: { content: 'first' } });
  alone.fromAgent(call(2, 'shot'));
  mocks.add({ tool: 'shot', server: 'browser', replace: true, result: { content: 'second' } });
  alone.fromAgent(call(3, 'shot'));
  expect(written().map(({ result }) => result?.content)).toEqual([undefined, 'first', 'second']);
  expect(mocks.all).toHaveLength(1);
});

it('makes a tool result of any object', () => {
  expect(toToolResult({ a: 1 })).toEqual({ content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } });
  expect(toToolResult({ content: [] })).toEqual({ content: [] });
});

it('fills in variables as Claude Code does', () => {
  const entry = { command: '${ROOT}/x', args: ['${NONE:-else}', '${UNKNOWN}', '"${ROOT}"'] };
  expect(withVariables(entry, { ROOT: '/a "b"' })).toEqual({
    command: '/a "b"/x',
    args: ['else', '${UNKNOWN}', '"/a "b""'],
  });
});

describe('what goes wrong on purpose', () => {
  beforeEach(() => mocks.add({ tool: 'shot', server: 'browser', replace: true, result: { content: 'here' } }));
  const list = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });

  it('is late with the answers of tools, and with nothing else', async () => {
    const slow = proxy(undefined, { delay_ms: 60 });
    const from = performance.now();
    slow.fromAgent(call(1, 'shot'));
    slow.fromAgent(list(2));
    expect(written().map(({ id }) => id)).toEqual([2]);
    await expect.poll(() => lines.length).toBe(2);
    expect(performance.now() - from).toBeGreaterThanOrEqual(59);
  });

  it('dies at a call, without an answer', () => {
    const mortal = proxy(undefined, { dies_after: 1 });
    mortal.fromAgent(call(1, 'shot'));
    expect(deaths).toBe(0);
    mortal.fromAgent(call(2, 'shot'));
    expect(deaths).toBe(1);
    expect(written().map(({ id }) => id)).toEqual([1]);
  });

  it('answers with half a frame', () => {
    const torn = proxy(undefined, { garbles_after: 1 });
    torn.fromAgent(call(1, 'shot'));
    torn.fromAgent(call(2, 'shot'));
    expect(() => JSON.parse(lines[0] ?? '')).not.toThrow();
    expect(() => JSON.parse(lines[1] ?? '')).toThrow();
  });

  it('has other tools, and says so', () => {
    const moody = proxy(undefined, { changes: { after: 1, tools: { film: 'rolling', cut: { error: 'no' } } } });
    moody.fromAgent(list(1));
    moody.fromAgent(call(2, 'shot'));
    moody.fromAgent(list(3));
    moody.fromAgent(call(4, 'film'));
    moody.fromAgent(call(5, 'shot'));
    expect(written()[0]?.result?.tools?.map(({ name }) => name)).toEqual(['shot']);
    expect(written()[2]?.method).toBe('notifications/tools/list_changed');
    expect(written()[3]?.result?.tools?.map(({ name }) => name)).toEqual(['film', 'cut']);
    expect(written()[4]?.result).toEqual({ content: [{ type: 'text', text: 'rolling' }] });
    expect(written()[5]?.result?.isError).toBe(true);
  });

  it('dies, tears and delays a real server, too', async () => {
    const behind = { command: process.execPath, args: ['-e', ECHO] };
    const torn = proxy(behind, { garbles_after: 0 });
    const child = await torn.start();
    torn.fromAgent(list(1));
    torn.fromAgent(call(2, 'real'));
    await expect.poll(() => lines.length).toBe(2);
    torn.close();
    await child?.exitWithin(5000, 'test');
    expect(written).toThrow();
    expect(lines.filter((line) => line.endsWith('}'))).toHaveLength(1);
  });
});
