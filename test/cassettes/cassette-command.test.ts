import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { type ModelServer, startModelServer } from '../../packages/model/src/server/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { realAgent } from '../helpers/real-agents.js';
import { runUnderstudy } from '../helpers/understudy.js';

const KEY = 'sk-ant-loopback-loopback-0123456789';
let scratch: Scratch;
let model: ModelServer;

beforeEach(async () => {
  scratch = createScratch('cassette-command');
  model = await startModelServer({
    key: KEY,
    scenario: defineScenario({
      responses: [
        {
          pattern: { type: 'command', name: 'agent-loop:explore' },
          response: {
            text: 'The live model looked around. Next, run /plan.',
            tool_calls: [{ tool: 'Glob', input: { pattern: '**/*.py' } }],
          },
        },
        {
          pattern: { type: 'contains', text: 'notes' },
          response: {
            text: 'First the file.',
            tool_calls: [{ tool: 'Write', input: { file_path: '{{cwd}}/notes.md', content: 'one\n' } }],
            then: 'The notes are there.',
          },
        },
      ],
      default_response: 'The live model heard you.',
    }),
  });
});
afterEach(async () => {
  await model.close();
  await scratch.remove();
});

const live = () => ({ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: KEY });
const understudy = (args: readonly string[], env: Record<string, string> = {}) =>
  runUnderstudy(args, { cwd: scratch.path, env });

const REHEARSAL = `
name = "explore with the marketplace"
plugins = ["agent-loop"]
project = { files = { "app.py" = "print(1)\\n" } }
allow_unused = true
[[responses]]
pattern = { type = "contains", text = "notes" }
response = "The script says something else."
[[steps]]
send = "/agent-loop:explore the app"
[steps.expect]
tools = { all = ["Glob"] }
[[steps]]
send = "Write the notes"
`;

it('records a rehearsal, replays it without the model, forks it, and makes a new rehearsal of it', {
  timeout: 180_000,
}, async (context) => {
  await realAgent('claude', context);
  cpSync(resolve('examples/marketplace/plugins/agent-loop'), join(scratch.path, 'agent-loop'), { recursive: true });
  writeFileSync(join(scratch.path, 'a.rehearsal.toml'), REHEARSAL);
  const missing = await understudy(['run', 'a.rehearsal.toml', '--stage', 'replay', '--record', '--json'], {
    ...live(),
    CI: 'true',
  });
  expect(missing.code).toBe(2);
  expect(missing.stdout).toContain('CASSETTE_MISSING');

  const recorded = await understudy(['run', 'a.rehearsal.toml', '--stage', 'live', '--record'], live());
  expect(recorded.stdout).toContain('1 passed');
  await model.close();
  const cassette = join(scratch.path, 'cassettes', 'a.claude.cassette.jsonl');
  const text = readFileSync(cassette, 'utf8');
  for (const secret of [KEY, scratch.path, model.url]) expect(text).not.toContain(secret);

  const made = await understudy([
    'cassette',
    'to-rehearsal',
    'cassettes/a.claude.cassette.jsonl',
    '-o',
    'made.rehearsal.toml',
  ]);
  expect(made.code).toBe(0);
  expect(readFileSync(join(scratch.path, 'made.rehearsal.toml'), 'utf8')).toContain('suggests = "/plan"');
  writeFileSync(
    join(scratch.path, 'changed.rehearsal.toml'),
    REHEARSAL.replace('the notes', 'other notes').replace(
      'allow_unused',
      'cassette = "cassettes/a.claude.cassette.jsonl"\nallow_unused',
    ),
  );
  const [scripted, replayed, forked] = await Promise.all([
    understudy(['run', 'made.rehearsal.toml', '--output', 'one']),
    understudy([
      'run',
      'made.rehearsal.toml',
      'changed.rehearsal.toml',
      '--stage',
      'replay',
      '--output',
      'two',
      '--json',
    ]),
    understudy([
      'run',
      'changed.rehearsal.toml',
      '--stage',
      'replay',
      '--from-turn',
      '2',
      '--output',
      'three',
      '--json',
    ]),
  ]);
  expect(scripted.stdout).toContain('1 passed');
  const { entries } = JSON.parse(replayed.stdout) as { entries: { file: string; status: string; checks: object[] }[] };
  expect(entries.map(({ file, status }) => `${file} ${status}`).sort()).toEqual([
    'changed.rehearsal.toml failed',
    'made.rehearsal.toml passed',
  ]);
  const changed = JSON.stringify(entries.find(({ status }) => status === 'failed')?.checks);
  expect(changed).toContain(
    'turn 2, request 3 of conversation c1: prompt 2 differs from the recording\\n- Write the notes\\n+ Write other notes',
  );
  expect(changed).toContain('interaction 3, interaction 4 was never asked for');
  expect(forked.stdout).toContain('The script says something else.');
  expect(JSON.parse(forked.stdout)).toMatchObject({ entries: [{ status: 'passed' }] });
});

/** A program that asks the model itself, and may kill its recorder. */
const PROGRAM = `
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env;
const ask = (content) => fetch(url + '/v1/messages', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': key },
  body: JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }),
}).then((answer) => answer.json());
console.log((await ask('hello')).content[0].text);
if (process.argv[2] === 'kill') process.kill(process.ppid, 'SIGKILL');
`;

it('plays the recording of the example, and shows the difference of another question', async () => {
  const exec = (...args: string[]) =>
    runUnderstudy(
      [
        'exec',
        '--stage',
        'replay',
        '--cassette',
        'ask.cassette.jsonl',
        '--agent',
        'claude',
        '--',
        process.execPath,
        'ask.mjs',
        ...args,
      ],
      { cwd: resolve('examples/cassettes') },
    );
  expect(await exec()).toMatchObject({ code: 0, stdout: 'Danube\n' });
  expect((await exec('Name a lake in one word.')).stderr).toContain(
    '- Name a river in one word.\n+ Name a lake in one word.',
  );
});

it('records a program that asks the model itself; a killed recorder leaves what it had', async () => {
  writeFileSync(join(scratch.path, 'ask.mjs'), PROGRAM);
  const program = [process.execPath, 'ask.mjs'];
  const recorded = await understudy(
    ['record', '-o', 'ask.cassette.jsonl', '--agent', 'claude', '--', ...program],
    live(),
  );
  expect(recorded).toMatchObject({ code: 0, stdout: 'The live model heard you.\n' });
  const killed = await understudy(
    ['record', '-o', 'cut.cassette.jsonl', '--agent', 'claude', '--', ...program, 'kill'],
    live(),
  );
  expect(killed.signal).toBe('SIGKILL');
  await model.close();

  const again = ['exec', '--stage', 'replay', '--agent', 'claude', '--cassette'];
  const replayed = await understudy([...again, 'ask.cassette.jsonl', '--', ...program]);
  expect(replayed).toMatchObject({ code: 0, stdout: 'The live model heard you.\n' });
  const shown = await understudy(['cassette', 'show', 'cut.cassette.jsonl', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    cut: true,
    interactions: [{ answered: 'The live model heard you.' }],
  });
  expect(existsSync(join(scratch.path, 'cut.cassette.jsonl'))).toBe(false);
  const refused = await understudy([...again, 'cut.cassette.jsonl', '--', ...program]);
  expect(refused).toMatchObject({ code: 125, stderr: expect.stringContaining('CASSETTE_CUT') });
});

it('makes a rehearsal of a plain call of the real Claude Code, which replays', async (context) => {
  await realAgent('claude', context);
  const call = ['claude', '-p', 'Write the notes', '--permission-mode', 'acceptEdits'];
  const recorded = await understudy(['record', '--rehearsal', 'notes', '--', ...call], live());
  expect(recorded).toMatchObject({ code: 0, stdout: 'The notes are there.\n' });
  await model.close();
  const replayed = await understudy(['run', 'notes.rehearsal.toml', '--stage', 'replay']);
  expect(replayed).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
});
