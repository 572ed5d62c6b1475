import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, defined, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Mocks, toToolResult } from './mocks.js';
import { McpProxy } from './proxy.js';
import { withVariables } from './server-config.js';

let scratch: Scratch;
let mocks: Mocks;
let written: { id?: number; result?: { tools?: { name: string }[]; content?: unknown }; error?: { message: string } }[];

beforeEach(() => {
  scratch = createScratch('proxy');
  mocks = new Mocks(scratch.path);
  written = [];
});

afterEach(() => scratch.remove());

function proxy(server?: { command: string; args: string[] }): McpProxy {
  const log = join(scratch.path, 'calls.jsonl');
  return new McpProxy(
    { name: 'browser', mocks: mocks.file, log, ...defined({ server }) },
    { env: {}, cwd: scratch.path, write: (line) => written.push(JSON.parse(line)) },
  );
}

const call = (id: number, name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

/** Says back what it hears, with the tools of a list. */
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
  await expect.poll(() => written.length).toBe(3);
  between.close();
  await child?.exitWithin(5000, 'test');
  expect(written.find(({ id }) => id === 1)?.result).toEqual({ content: 'mocked' });
  expect(written.find(({ id }) => id === 2)?.result).toEqual({ content: 'from the server' });
  expect(written.find(({ id }) => id === 3)?.result?.tools?.map(({ name }) => name)).toEqual(['real', 'invented']);
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
  expect(written.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(written[1]?.result?.tools?.map(({ name }) => name)).toEqual(['shot']);
  expect(written[3]?.error?.message).toContain('not mocked');
});

it('a mock that comes later counts at once', () => {
  const alone = proxy();
  alone.fromAgent(call(1, 'shot'));
  mocks.add({ tool: 'shot', server: 'browser', replace: true, result: { content: 'first' } });
  alone.fromAgent(call(2, 'shot'));
  mocks.add({ tool: 'shot', server: 'browser', replace: true, result: { content: 'second' } });
  alone.fromAgent(call(3, 'shot'));
  expect(written.map(({ result }) => result?.content)).toEqual([undefined, 'first', 'second']);
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
