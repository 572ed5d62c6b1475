import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startModelServer } from '../../packages/agents/src/model/server.js';
import { Terminal } from '../../packages/agents/src/terminal/terminal.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { CassetteFile } from '../../packages/model/src/cassette/reader.js';
import type { ModelServer } from '../../packages/model/src/server/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

const KEY = 'sk-ant-loopback-loopback-0123456789';
const KEEP = '\u001c';
let scratch: Scratch;
let model: ModelServer;
let terminal: Terminal | undefined;

beforeEach(async () => {
  scratch = createScratch('record-terminal');
  model = await startModelServer({
    key: KEY,
    scenario: defineScenario({
      responses: [
        {
          pattern: { type: 'contains', text: 'look' },
          response: { tool_calls: [{ tool: 'Read', input: { file_path: 'a' } }] },
        },
        { pattern: { type: 'contains', text: 'river' }, response: 'The Danube is a river.' },
      ],
      default_response: 'The live model heard you.',
    }),
  });
});
afterEach(async () => {
  await terminal?.end();
  terminal = undefined;
  await model.close();
  await scratch.remove();
});

async function record(...command: string[]): Promise<Terminal> {
  terminal = await Terminal.start({
    command: [process.execPath, UNDERSTUDY, 'record', '--rehearsal', 'talk', '--', ...command],
    cwd: scratch.path,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY },
    },
    columns: 100,
    rows: 30,
  });
  return terminal;
}

const ended = (of: Terminal) => expect.poll(() => of.exit, { timeout: 60_000 }).toMatchObject({ code: 0 });

it('keeps what was said to the TUI of the real Claude Code when the key is pressed', {
  timeout: 180_000,
}, async (context) => {
  await realAgent('claude', context);
  const own = await record('claude');
  await own.waitFor('❯', 60_000);
  own.type(KEEP);
  await own.waitFor('not kept: nothing has been asked yet');
  own.type('Name a river');
  await own.waitFor('Name a river');
  own.press('enter');
  await own.waitFor('The Danube is a river.');
  await own.settle();
  own.type(KEEP);
  await own.waitFor('kept: talk.rehearsal.toml');
  own.type('This is not for the test');
  await own.waitFor('This is not for the test');
  own.press('enter');
  await own.waitFor('The live model heard you.');
  own.type('/exit');
  await own.waitFor('/exit');
  own.press('enter');
  await ended(own);
  expect(own.text()).toContain('understudy: 1 call');

  await model.close();
  const text = readFileSync(join(scratch.path, 'talk.rehearsal.toml'), 'utf8');
  expect(text).toContain('send = "Name a river"');
  expect(text).toContain('terminal = ');
  expect(text).not.toContain('not for the test');
  expect(readFileSync(join(scratch.path, 'cassettes/talk.claude.cassette.jsonl'), 'utf8')).not.toContain(
    'not for the test',
  );
  const replayed = await runUnderstudy(['run', 'talk.rehearsal.toml', '--stage', 'replay'], { cwd: scratch.path });
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
});

/** Asks the model for each line that is typed. */
const PROGRAM = `
import { createInterface } from 'node:readline';
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env;
const tools = [{ name: 'Read', input_schema: { type: 'object' } }];
console.log('ready');
for await (const content of createInterface({ input: process.stdin })) {
  if (content === 'end') process.exit();
  const answer = await fetch(url + '/v1/messages', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ model: 'm', max_tokens: 9, tools, messages: [{ role: 'user', content }] }),
  });
  const [first] = (await answer.json()).content;
  console.log(first.type === 'tool_use' ? ['called', first.name].join(' ') : first.text);
}
`;

it('does not keep half a turn; asks at the end when nothing was kept', async () => {
  writeFileSync(join(scratch.path, 'ask.mjs'), PROGRAM);
  const own = await record(process.execPath, 'ask.mjs');
  await own.waitFor('ready');
  own.type('have a look\r');
  await own.waitFor('called Read');
  own.type(KEEP);
  await own.waitFor('not kept: the agent is working');
  expect(existsSync(join(scratch.path, 'talk.rehearsal.toml'))).toBe(false);
  own.type('a river\r');
  await own.waitFor('The Danube');
  own.type('end\r');
  await own.waitFor('Keep it as talk.rehearsal.toml? [Y/n]');
  own.type('n\r');
  await ended(own);
  expect(existsSync(join(scratch.path, 'talk.rehearsal.toml'))).toBe(false);
  const cassette = CassetteFile.open(join(scratch.path, 'cassettes/talk.claude.cassette.jsonl'));
  expect(cassette.interactions).toHaveLength(2);
  cassette.close();
});
