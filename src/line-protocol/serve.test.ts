import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { methodParams } from './params.js';
import { serveLines } from './serve.js';

async function ask(
  ...lines: readonly string[]
): Promise<{ id: unknown; result?: unknown; error?: { code: string; message: string } }[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const said: string[] = [];
  output.setEncoding('utf8').on('data', (text: string) => said.push(...text.split('\n').filter((line) => line !== '')));
  const options = { version: '1.2.3', roots: [], artifacts: 'nowhere', stop: new Promise(() => {}) };
  const served = serveLines({ input, output, ...options });
  input.write(lines.map((line) => `${line}\n`).join(''));
  await expect.poll(() => said.length).toBe(lines.length + 1);
  input.end();
  await served;
  expect(JSON.parse(said[0] ?? '')).toEqual({ protocol: 1, understudy: '1.2.3' });
  return said.slice(1).map((line) => JSON.parse(line));
}

it('answers each line, and says what is wrong with one', async () => {
  const answers = await ask(
    'nonsense',
    '[]',
    '{"id":1,"method":"test.start"}',
    '{"id":2,"method":"test.begin","params":{"form":"."}}',
    '{"id":"three","method":"conversation.send","params":{"conversation":9,"text":"hi"}}',
    '{"id":4,"method":"tool.call","params":{"name":"dance"}}',
    '{"id":5,"method":"test.begin","params":{"from":"."}}',
  );
  const told = Object.fromEntries(answers.map(({ id, result, error }) => [String(id), error?.message ?? result]));
  expect(answers.filter(({ id }) => id === null).map(({ error }) => error?.code)).toEqual([
    'PROTOCOL_BAD_REQUEST',
    'PROTOCOL_BAD_REQUEST',
  ]);
  expect(told['1']).toMatch(/there is no method "test.start"\nfix: Send .* with one of test.begin,/);
  expect(told['2']).toMatch(/`form` is not a field here .*\n {2}fix: Change it to `from`/);
  expect(told['three']).toMatch(/^PROTOCOL_UNKNOWN: there is no conversation 9\nfix: Use a number/);
  expect(told['4']).toMatch(/^MCP_NO_TOOL: there is no tool dance/);
  expect(told['5']).toEqual({ test: 1 });
});

it('documents every method', () => {
  const page = readFileSync('docs/pytest.md', 'utf8');
  expect(Object.keys(methodParams).filter((method) => !page.includes(`\`${method}\``))).toEqual([]);
});
