import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { type RunResult, runProgram } from '../helpers/understudy.js';
import { untilHolds } from '../helpers/until-holds.js';

const linux = process.platform === 'linux';

/** Short, so that temp folders of agents are below it. */
let folder: string;
let temp: string;
beforeEach(() => {
  folder = mkdtempSync('/tmp/ends-');
  temp = join(folder, 't');
  mkdirSync(temp);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/agent-understudy'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that imports the package to its end. One that does not end is ended with the test. */
function run(program: string, ...options: string[]): Promise<RunResult> {
  writeFiles(folder, { 'program.mjs': program });
  const store = process.env['UNDERSTUDY_STORE'];
  return runProgram([process.execPath, ...options, 'program.mjs'], {
    cwd: folder,
    env: { TMPDIR: temp, ...(store === undefined ? {} : { UNDERSTUDY_STORE: store }) },
  });
}

/** The processes that have a name of this test's folder among their arguments. */
function startedHere(): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(join('/proc', name, 'cmdline'), 'utf8').includes(basename(folder));
    } catch {
      return false;
    }
  });
}

async function expectNothingLeft(): Promise<void> {
  await untilHolds(() => readdirSync(temp).length === 0, `${temp} is empty`);
  if (linux) await untilHolds(() => startedHere().length === 0, 'nothing runs any more');
}

const start = (stage: 'sim' | 'scripted') => `
import { Conversation } from 'agent-understudy';
const open = () => Conversation.start({
  stage: '${stage}',
  scenario: { default_response: 'Hello.' },
  modelName: '${basename(folder)}',
});
`;

const RED = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
test('red', async () => {
  const conversation = await open();
  const turn = await conversation.send('hi');
  assert.equal(turn.text, 'Good bye.');
  await conversation.end();
});
`;

const SAYS = `
const conversation = await open();
console.log((await conversation.send('hi')).text, (await conversation.send('hi')).outcome);
`;

it.for(['sim', 'scripted'] as const)(
  'a test of node:test that fails before it ends its conversation is red and ends, on %s',
  { timeout: 120_000 },
  async (stage, context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    const red = await run(start(stage) + RED, '--test');
    expect(red).toMatchObject({ code: 1, stdout: expect.stringContaining("'Good bye.'") });
    await expectNothingLeft();
  },
);

it.for(['sim', 'scripted'] as const)(
  'a program waits for its turns, and ends with a conversation that it forgets, on %s',
  { timeout: 120_000 },
  async (stage, context) => {
    if (stage === 'scripted') await realAgent('claude', context);
    expect(await run(start(stage) + SAYS)).toMatchObject({ code: 0, stdout: 'Hello. completed\n', stderr: '' });
    await expectNothingLeft();
  },
);

it('a program ends with servers that it forgets', async () => {
  const forgotten = `
import { startModelServer } from 'agent-understudy/model-server';
import { startDevServer } from 'agent-understudy/workspace';
const model = await startModelServer({ scenario: { document: { responses: [] }, warnings: [] } });
const serve = "require('node:http').createServer((q, a) => a.end('ok')).listen(process.env.PORT, '127.0.0.1')";
const command = [process.execPath, '-e', serve, '${basename(folder)}'];
const site = await startDevServer({ command, folder: '.' });
console.log((await fetch(model.url)).status, await (await fetch(site.url)).text());
`;
  expect(await run(forgotten)).toMatchObject({ code: 0, stdout: '200 ok\n', stderr: '' });
  await expectNothingLeft();
  const stopped = `${forgotten}await site.stop(); await model.close(); console.log('stopped');`;
  expect(await run(stopped)).toMatchObject({ code: 0, stdout: '200 ok\nstopped\n', stderr: '' });
});

it('a program that serves a model goes on until the server is closed', async () => {
  const program = `
import { startModelServer } from 'agent-understudy/model-server';
const model = await startModelServer({ scenario: { document: { responses: [] }, warnings: [] } });
model.ref();
setTimeout(() => model.close().then(() => console.log('closed')), 200).unref();
`;
  expect(await run(program)).toMatchObject({ code: 0, stdout: 'closed\n' });
});
