import { spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Json, STAND_IN, type StandInWorld, standInWorld } from '../helpers/stand-in.js';

const SESSION = '44444444-4444-4444-8444-444444444444';
const LOGIN = {
  responses: [
    {
      pattern: { type: 'contains', text: 'login' },
      response: 'Username:',
      turns: [
        { expect: { type: 'any' }, response: 'Password:' },
        { expect: { type: 'any' }, response: 'Welcome' },
      ],
    },
    { pattern: { type: 'any' }, response: 'Say login' },
  ],
};

function transcript(world: StandInWorld, id: string): string {
  const projects = join(world.config, 'projects');
  const [project = ''] = readdirSync(projects);
  return join(projects, project, `${id}.jsonl`);
}

function lines(path: string): Json[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Json];
      } catch {
        return [];
      }
    });
}

it('answers the first response only, and not the turns that follow it', async () => {
  const world = standInWorld(LOGIN);
  expect(await world.run(['-p', 'login'])).toMatchObject({ code: 0, stdout: 'Username:\n', stderr: '' });
});

it('keeps the turn from one process to the next of a session', async () => {
  const world = standInWorld(LOGIN);
  await world.run(['-p', 'login', '--session-id', SESSION]);
  expect((await world.run(['-p', 'bob', '--resume', SESSION])).stdout).toBe('Password:\n');
  expect((await world.run(['-p', 'secret', '--continue'])).stdout).toBe('Welcome\n');
  expect((await world.run(['-p', 'more', '--resume', SESSION])).stdout).toBe('Say login\n');
});

it('does not share turns between sessions', async () => {
  const world = standInWorld(LOGIN);
  await world.run(['-p', 'login', '--session-id', SESSION]);
  expect((await world.run(['-p', 'bob'])).stdout).toBe('Say login\n');
});

it('forks the turn along with the session', async () => {
  const world = standInWorld(LOGIN);
  await world.run(['-p', 'login', '--session-id', SESSION]);
  const fork = JSON.parse(
    (await world.run(['-p', 'bob', '--resume', SESSION, '--fork-session', '--output-format', 'json'])).stdout,
  ) as Json;
  expect(fork).toMatchObject({ result: 'Password:' });
  expect(fork['session_id']).not.toBe(SESSION);
  // The session itself is where it was.
  expect((await world.run(['-p', 'bob', '--resume', SESSION])).stdout).toBe('Password:\n');
  expect((await world.run(['-p', 'pw', '--resume', String(fork['session_id'])])).stdout).toBe('Welcome\n');
});

it('leaves nothing with --no-session-persistence', async () => {
  const world = standInWorld(LOGIN);
  await world.run(['-p', 'login', '--session-id', SESSION, '--no-session-persistence']);
  expect((await world.run(['-p', 'bob', '--resume', SESSION])).code).toBe(1);
});

it('resumes a session whose last line was torn', async () => {
  const world = standInWorld(LOGIN);
  await world.run(['-p', 'login', '--session-id', SESSION]);
  appendFileSync(transcript(world, SESSION), '{"type":"assistant","mess');
  expect((await world.run(['-p', 'bob', '--resume', SESSION])).stdout).toBe('Password:\n');
  expect((await world.run(['-p', 'pw', '--resume', SESSION])).stdout).toBe('Welcome\n');
});

it('does not tear a session that two processes write to', async () => {
  const world = standInWorld({ responses: [{ pattern: { type: 'any' }, response: 'x'.repeat(20_000) }] });
  await world.run(['-p', 'start', '--session-id', SESSION]);
  await Promise.all(Array.from({ length: 6 }, () => world.run(['-p', 'again', '--resume', SESSION])));
  const file = transcript(world, SESSION);
  const written = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  expect(lines(file)).toHaveLength(written.length);
  expect(lines(file).filter(({ type }) => type === 'assistant')).toHaveLength(7);
  expect((await world.run(['-p', 'last', '--resume', SESSION])).code).toBe(0);
});

it('can be killed at any point, and the session still be resumed', async () => {
  const slow = { ...LOGIN, timeouts: { response_delay_ms: 400 } };
  for (const after of [60, 120, 200, 320]) {
    const world = standInWorld(slow);
    await world.run(['-p', 'hello', '--session-id', SESSION]);
    const child = spawn(process.execPath, [STAND_IN, '-p', 'login', '--resume', SESSION], {
      cwd: world.cwd,
      env: { PATH: process.env['PATH'], ...world.env },
      stdio: 'ignore',
    });
    await new Promise((resolve) => setTimeout(resolve, after));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    const resumed = await world.run(['-p', 'login', '--resume', SESSION]);
    expect(resumed).toMatchObject({ code: 0, stderr: '' });
  }
});

it('takes the session id, model, version, mode and time from the scenario', async () => {
  const world = standInWorld({
    ...LOGIN,
    session_id: SESSION,
    default_model: 'haiku',
    claude_version: '9.9.9',
    permission_mode: 'plan',
    launch_timestamp: '2020-01-02T03:04:05Z',
  });
  const [init, assistant] = await world.stream(['hi']);
  expect(init).toMatchObject({
    session_id: SESSION,
    model: 'claude-haiku-5-5',
    claude_code_version: '9.9.9',
    permissionMode: 'plan',
  });
  expect(String(assistant?.['timestamp'])).toMatch(/^2020-01-02T03:04:0/);
});

it('answers the first of several prompts, and then those that wait as one', async () => {
  const world = standInWorld(LOGIN);
  const prompts = ['login', 'bob', 'pw'].map(
    (content) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`,
  );
  const events = await world.stream(['--input-format', 'stream-json'], { input: prompts.join('') });
  const said = events.filter(({ type }) => type === 'result').map(({ result }) => result);
  expect(said).toEqual(['Username:', 'Password:']);
});

it('ends the first turn for an interruption right behind its prompt', async () => {
  const world = standInWorld({ default_response: { text: 'Hi.', delay_ms: 5000 } });
  const lines = [
    { type: 'user', message: { role: 'user', content: 'go' } },
    { type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } },
  ];
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const events = await world.stream(['--input-format', 'stream-json'], { input });
  const result = events.find(({ type }) => type === 'result');
  expect(result).toMatchObject({ subtype: 'error_during_execution', terminal_reason: 'aborted_streaming' });
});

it('is the same to the byte when session id and clock are fixed, and not when they are not', async () => {
  const fixed = { session_id: SESSION, launch_timestamp: '2026-01-31T09:00:00Z' };
  const script = {
    tool_execution: { mode: 'live' },
    responses: [
      {
        pattern: { type: 'any' },
        response: { text: 'done', tool_calls: [{ tool: 'Bash', input: { command: 'echo hi' } }] },
      },
    ],
  };
  const hooks = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'sleep 0.05; echo stopped' }] }] } };
  const twice = async (scenario: object): Promise<[string, string][]> => {
    const world = standInWorld({ ...script, ...scenario }, { 'HOME/.claude/settings.json': hooks });
    const runs: [string, string][] = [];
    for (let run = 0; run < 2; run++) {
      const events = await world.stream(['go', '--include-hook-events', '--include-partial-messages']);
      runs.push([JSON.stringify(events), readFileSync(transcript(world, String(events[0]?.['session_id'])), 'utf8')]);
      rmSync(join(world.config, 'projects'), { recursive: true });
    }
    return runs;
  };
  const [first, second] = await twice(fixed);
  expect(second).toEqual(first);
  const [other, another] = await twice({});
  expect(another).not.toEqual(other);
});
