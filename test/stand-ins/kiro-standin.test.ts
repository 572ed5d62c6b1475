import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../helpers/understudy.js';

const STAND_IN = [process.execPath, resolve('dist/bin/understudy-kiro.cjs')];
const CHAT = ['chat', '--no-interactive', '--trust-all-tools'];

function scratch(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-kiro-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'work'));
  return root;
}

interface More {
  input?: string;
  env?: Record<string, string>;
  folder?: string;
}

function kiro(
  root: string,
  scenario: object,
  args: readonly string[],
  { input = '', env = {}, folder = 'work' }: More = {},
) {
  writeFileSync(join(root, 'scenario.json'), JSON.stringify(scenario));
  mkdirSync(join(root, folder), { recursive: true });
  return runProgram([...STAND_IN, ...args], {
    cwd: join(root, folder),
    input,
    env: {
      HOME: root,
      NO_COLOR: '',
      KIRO_API_KEY: 'ksk_fake',
      UNDERSTUDY_SCENARIO: join(root, 'scenario.json'),
      ...env,
    },
  });
}

const ECHO = { responses: [{ pattern: { type: 'any' }, response: '{{prompt}}' }] };

it('answers with its coloured marker, piped or not, and a trailer on stderr', async () => {
  expect(await kiro(scratch(), ECHO, [...CHAT, 'HELLO'])).toEqual({
    code: 0,
    signal: null,
    stdout: '\u001b[38;5;141m> \u001b[0mHELLO\n',
    stderr: expect.stringMatching(/^\n ▸ Credits: [\d.]+ • Time: \d+s\n$/),
  });
  expect((await kiro(scratch(), ECHO, [...CHAT, 'HELLO'], { env: { NO_COLOR: '1' } })).stdout).toBe(
    '\u001b[m> \u001b[0mHELLO\n',
  );
});

it('shows tools as lines of its transcript, and really runs live ones', async () => {
  const root = scratch();
  const scenario = {
    tool_execution: { mode: 'live' },
    responses: [
      {
        pattern: { type: 'any' },
        response: {
          text: 'I write it.',
          tool_calls: [
            { tool: 'fs_write', input: { path: 'a.txt', content: 'hi' } },
            { tool: 'Bash', input: { command: 'cat a.txt; exit 3' } },
          ],
          then: [{ error: true, response: 'It failed with {{results}}.' }],
        },
      },
    ],
  };
  const { code, stdout } = await kiro(root, scenario, [...CHAT, 'go']);
  expect(code).toBe(0);
  expect(stripVTControlCharacters(stdout).replaceAll(/\d\.\d\ds/g, '0s')).toBe(
    [
      '> I write it.',
      "I'll create the following file: a.txt (using tool: write)",
      ' ✓ Wrote file successfully.',
      ' - Completed in 0s',
      '',
      'I will run the following command: cat a.txt; exit 3 (using tool: shell)',
      ' ✗ hi',
      ' - Completed in 0s',
      '',
      '> It failed with Wrote file successfully.',
      'hi.',
      '',
    ].join('\n'),
  );
  expect(readFileSync(join(root, 'work/a.txt'), 'utf8')).toBe('hi');
});

it('fails with 1 without a key, unless the scenario says that somebody is signed in', async () => {
  const env = { KIRO_API_KEY: '' };
  expect(await kiro(scratch(), ECHO, [...CHAT, 'x'], { env })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('not logged in'),
  });
  expect((await kiro(scratch(), { ...ECHO, logged_in: true }, [...CHAT, 'x'], { env })).code).toBe(0);
  expect((await kiro(scratch(), { ...ECHO, logged_in: false }, [...CHAT, 'x'])).code).toBe(1);
  expect(await kiro(scratch(), ECHO, ['whoami'], { env })).toMatchObject({ code: 1, stderr: 'Not logged in\n' });
  expect(await kiro(scratch(), ECHO, ['whoami'])).toMatchObject({ code: 0, stdout: 'Logged in with an API key\n' });
});

it('stops at a tool that nobody has trusted, before it runs', async () => {
  const root = scratch();
  const scenario = {
    tool_execution: { mode: 'live' },
    responses: [
      {
        pattern: { type: 'any' },
        response: { text: 'ok', tool_calls: [{ tool: 'shell', input: { command: 'touch ran' } }] },
      },
    ],
  };
  const refused = await kiro(root, scenario, ['chat', '--no-interactive', 'go']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Tool approval required') });
  expect(existsSync(join(root, 'work/ran'))).toBe(false);
  expect((await kiro(root, scenario, ['chat', '--no-interactive', '--trust-tools=shell', 'go'])).code).toBe(0);
  expect(existsSync(join(root, 'work/ran'))).toBe(true);
});

it('exits with 3 when a required MCP server does not come up', async () => {
  const root = scratch();
  mkdirSync(join(root, 'work/.kiro/settings'), { recursive: true });
  const configure = (servers: object) =>
    writeFileSync(join(root, 'work/.kiro/settings/mcp.json'), JSON.stringify({ mcpServers: servers }));
  const answer = 'process.stdin.on("data", () => console.log(JSON.stringify({ jsonrpc: "2.0", id: 0, result: {} })))';
  const good = { command: process.execPath, args: ['-e', answer] };
  configure({ good, broken: { command: 'false' } });
  expect(await kiro(root, ECHO, [...CHAT, '--require-mcp-startup', 'x'])).toMatchObject({
    code: 3,
    stderr: 'error: MCP servers failed to start: broken\n',
  });
  expect((await kiro(root, ECHO, [...CHAT, 'x'])).code).toBe(0);
  configure({ good, broken: { command: 'false', disabled: true } });
  expect((await kiro(root, ECHO, [...CHAT, '--require-mcp-startup', 'x'])).code).toBe(0);
});

it('goes on with the last session of its folder', async () => {
  const root = scratch();
  const scenario = {
    responses: [
      {
        pattern: { type: 'exact', text: 'start' },
        response: 'first',
        turns: [{ expect: { type: 'any' }, response: 'second' }],
      },
      { pattern: { type: 'any' }, response: 'fresh' },
    ],
  };
  const say = async (args: string[], folder = 'work') =>
    stripVTControlCharacters((await kiro(root, scenario, [...CHAT, ...args], { folder })).stdout).trim();
  expect(await say(['start'])).toBe('> first');
  expect(await say(['--resume', 'go'], 'elsewhere')).toBe('> fresh');
  expect(await say(['--resume', 'go'])).toBe('> second');
  expect(await say(['go'])).toBe('> fresh');
});

it('lets the agent’s name choose the answer', async () => {
  const scenario = {
    responses: [
      { pattern: { type: 'any' }, when: { agent: 'reviewer' }, response: 'reviewed' },
      { pattern: { type: 'any' }, response: 'built' },
    ],
  };
  expect((await kiro(scratch(), scenario, [...CHAT, '--agent', 'reviewer', 'x'])).stdout).toContain('reviewed');
  expect((await kiro(scratch(), scenario, [...CHAT, 'x'])).stdout).toContain('built');
});

it('takes its input from stdin, and asks for some', async () => {
  expect((await kiro(scratch(), ECHO, CHAT, { input: 'piped' })).stdout).toContain('piped');
  expect((await kiro(scratch(), ECHO, CHAT)).code).toBe(1);
});

it('refuses unknown flags by name, and what it does not play', async () => {
  expect(await kiro(scratch(), ECHO, [...CHAT, '--bogus', 'x'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("unexpected argument '--bogus'"),
  });
  expect((await kiro(scratch(), ECHO, ['chat', 'x'])).stderr).toContain('--no-interactive only');
  expect(await kiro(scratch(), ECHO, ['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^kiro-cli \d/),
  });
});

it('reports a failing service with 1, without a trailer, and keeps what was said', async () => {
  const failing = (failure: object) =>
    kiro(scratch(), { responses: [{ pattern: { type: 'any' }, failure }] }, [...CHAT, 'x']);
  expect(await failing({ type: 'forbidden' })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^Kiro is having trouble responding right now[\s\S]*AccessDeniedException/),
  });
  const cut = await failing({ type: 'connection_reset', partial_text: 'half an' });
  expect(cut).toMatchObject({ code: 1, stdout: expect.stringContaining('half an') });
  expect(cut.stderr).not.toContain('Credits');
});

it('writes each prompt to the log, with what answered it', async () => {
  const root = scratch();
  const log = join(root, 'log.jsonl');
  await kiro(root, ECHO, [...CHAT, 'one'], { env: { UNDERSTUDY_LOG: log } });
  await kiro(root, { responses: [{ pattern: { type: 'exact', text: 'a' }, response: 'b' }] }, [...CHAT, 'two'], {
    env: { UNDERSTUDY_LOG: log },
  });
  const entries = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toMatchObject([
    { prompt: 'one', outcome: 'success', matched: ['responses[0]'], result: 'one' },
    { prompt: 'two', outcome: 'unanswered', matched: [] },
  ]);
});
