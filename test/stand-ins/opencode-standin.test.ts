import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type RunResult, runProgram } from '../helpers/understudy.js';

const STAND_IN = [process.execPath, resolve('dist/bin/understudy-opencode.cjs')];

function scratch(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'understudy-opencode-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'work'));
  return root;
}

/** Runs the stand-in in a folder, on a scenario. */
function standIn(
  root: string,
  scenario: object,
  args: readonly string[],
  more: { input?: string; env?: Record<string, string> } = {},
) {
  writeFileSync(join(root, 'scenario.json'), JSON.stringify(scenario));
  return runProgram([...STAND_IN, ...args], {
    cwd: join(root, 'work'),
    input: more.input ?? '',
    env: { HOME: root, UNDERSTUDY_SCENARIO: join(root, 'scenario.json'), ...more.env },
  });
}

const events = ({ stdout }: RunResult) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('runs live tools in the words of any agent', async () => {
  const root = scratch();
  const scenario = {
    tool_execution: { mode: 'live' },
    responses: [
      {
        pattern: { type: 'any' },
        response: {
          text: 'done',
          tool_calls: [
            { tool: 'Write', input: { file_path: 'a.txt', content: 'one two' } },
            { tool: 'edit', input: { path: 'a.txt', old: 'two', new: 'three' } },
            { tool: 'read', input: { filePath: 'a.txt' } },
            { tool: 'shell', input: { command: 'cat a.txt' } },
            { tool: 'read', input: { filePath: 'missing.txt' } },
          ],
        },
      },
    ],
  };
  const result = await standIn(root, scenario, ['run', '--format', 'json', 'go']);
  const tools = events(result).flatMap(({ type, part }) =>
    type === 'tool_use' ? [part as { tool: string; state: Record<string, unknown> }] : [],
  );
  expect(tools.map(({ tool, state }) => [tool, state['status'], state['output']])).toEqual([
    ['write', 'completed', 'Wrote file successfully.'],
    ['edit', 'completed', 'Edit applied successfully.'],
    ['read', 'completed', expect.stringContaining('1: one three')],
    ['bash', 'completed', 'one three'],
    ['read', 'error', undefined],
  ]);
  expect(readFileSync(join(root, 'work/a.txt'), 'utf8')).toBe('one three');
  expect(tools[0]?.state['input']).toEqual({ filePath: join(root, 'work/a.txt'), content: 'one two' });
});

it('refuses a flag that it does not know, and a wrong key in words', async () => {
  const scenario = { responses: [{ pattern: { type: 'any' }, failure: { type: 'auth_error', message: 'bad key' } }] };
  expect(await standIn(scratch(), scenario, ['run', '--bogus', 'look'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('Unknown argument: bogus'),
  });
  expect((await standIn(scratch(), scenario, ['run', 'look'])).stderr).toContain(
    '\u001b[91m\u001b[1mError: \u001b[0mbad key\n',
  );
});

const SEQUENCE = {
  responses: [
    {
      pattern: { type: 'contains', text: 'start' },
      response: 'first',
      turns: [{ expect: { type: 'any' }, response: 'second' }],
    },
    { pattern: { type: 'any' }, response: 'fresh' },
  ],
};

it('keeps the turn state of a session across processes', async () => {
  const root = scratch();
  const say = async (...args: string[]) => (await standIn(root, SEQUENCE, ['run', '--format', 'json', ...args])).stdout;
  const first = await say('start');
  const id = /"sessionID":"(ses_\w+)"/.exec(first)?.[1] ?? '';
  expect(await say('other')).toContain('"text":"fresh"');
  expect(await say('-s', id, 'go on')).toContain('"text":"second"');
  await say('start');
  expect(await say('--continue', 'go on')).toContain('"text":"second"');
});

it('shares one turn state between fresh sessions when UNDERSTUDY_STATE names a file', async () => {
  const root = scratch();
  const scenario = {
    responses: [1, 2, 3].map((turn) => ({ pattern: { type: 'any' }, when: { turn }, response: `iteration ${turn}` })),
  };
  const env = { UNDERSTUDY_STATE: join(root, 'state.json') };
  const said: string[] = [];
  for (let n = 0; n < 3; n++) said.push((await standIn(root, scenario, ['run', 'same'], { env })).stdout.trim());
  expect(said).toEqual(['iteration 1', 'iteration 2', 'iteration 3']);
  expect((await standIn(root, scenario, ['run', 'same'])).stdout.trim()).toBe('iteration 1');
});

it('takes the message from arguments and stdin', async () => {
  const root = scratch();
  const scenario = { responses: [{ pattern: { type: 'any' }, response: '<{{prompt}}>' }] };
  expect((await standIn(root, scenario, ['run', 'say', 'this'], { input: 'from stdin\n' })).stdout).toBe(
    '<say this\nfrom stdin>\n',
  );
  expect((await standIn(root, scenario, ['run'], { input: 'only stdin\n' })).stdout).toBe('<only stdin>\n');
});

it('says which prompt nothing answers, and what is missing when no scenario is named', async () => {
  const root = scratch();
  const silent = await standIn(root, { responses: [{ pattern: { type: 'exact', text: 'a' }, response: 'b' }] }, [
    'run',
    'zzz',
  ]);
  expect(silent).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no rule of the scenario answers the prompt "zzz"'),
  });
  const none = await standIn(root, {}, ['run', 'x'], { env: { UNDERSTUDY_SCENARIO: '' } });
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('SCENARIO_MISSING') });
});

it.each([
  [{ type: 'html_response' }, 0, 'unknown'],
  [{ type: 'partial_response', partial_text: 'half' }, 0, 'unknown'],
  [{ type: 'server_error' }, 1, 'APIError'],
  [{ type: 'connection_refused' }, 1, 'Cannot connect to API'],
  [{ type: 'malformed_json', raw: '{"oops' }, 1, 'JSON parsing failed'],
])('reports %o with exit code %i', async (failure, code, words) => {
  const scenario = { responses: [{ pattern: { type: 'any' }, failure }] };
  const result = await standIn(scratch(), scenario, ['run', '--format', 'json', 'x']);
  expect(result).toMatchObject({ code, stdout: expect.stringContaining(words) });
});

it('recovers from a failure that passes', async () => {
  const scenario = {
    responses: [{ pattern: { type: 'any' }, failure: { type: 'overloaded', times: 2 }, response: 'at last' }],
  };
  expect(await standIn(scratch(), scenario, ['run', 'x'])).toMatchObject({ code: 0, stdout: 'at last\n' });
});

it('takes the model of a scenario as it is, and one of its own flag only with its provider', async () => {
  const root = scratch();
  const scenario = { default_model: 'claude-sonnet-4-5', default_response: 'Hi.' };
  const own = await standIn(root, scenario, ['run', 'go']);
  expect(own).toMatchObject({ code: 0, stdout: 'Hi.\n' });
  expect(own.stderr).toContain('> build · claude-sonnet-4-5');
  expect(await standIn(root, scenario, ['run', '-m', 'claude-sonnet-4-5', 'go'])).toMatchObject({
    code: 1,
    stdout: '',
  });
});
