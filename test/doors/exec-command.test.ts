import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { readEventLog } from '../../packages/stage/src/conversation/event-log.js';
import { realAgent } from '../helpers/real-agents.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('exec-command');
  writeFiles(scratch.path, {
    's.toml': `[[responses]]
when = { call = 2 }
response = "Second."
[[responses]]
pattern = { type = "contains", text = "hello" }
response = { text = "Hi.", tool_calls = [{ tool = "Bash", input = { command = "echo from the tool > made.txt" } }] }
`,
  });
});
afterAll(() => scratch.remove());

const exec = (args: readonly string[], env: Record<string, string> = {}) =>
  runUnderstudy(['exec', '--stage', 'sim', '--scenario', 's.toml', ...args], { cwd: scratch.path, env });

it('runs a command with the agents in place, and tells what it called', async () => {
  const script =
    'claude --version >/dev/null; claude -p "hello a" --dangerously-skip-permissions; echo go | opencode run hello; exit 7';
  const { code, stdout, stderr } = await exec(['--', 'sh', '-c', script]);
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 7, stdout: 'Hi.\nSecond.' });
  expect(stderr).toMatch(
    /understudy: 2 calls on sim · isolation: none\n {2}1\. claude -p 'hello a' .* → exit code 0, \d+ ms: Hi\.\n {2}2\. opencode run hello → /,
  );
  expect(stderr).toContain('also started: claude --version');
  expect(readFileSync(join(scratch.path, 'made.txt'), 'utf8')).toBe('from the tool\n');
});

it('says what had no answer and what was not used, and is no success then', async () => {
  const { code, stderr } = await exec(['--', 'sh', '-c', 'claude -p "good bye" || true']);
  expect(code).toBe(1);
  expect(stderr).toContain('unanswered: no rule of the scenario answers the prompt "good bye"');
  expect(stderr).toContain('unused: responses[0] (when call = 2)');
});

it('says of a call that got only errors how it ended, why, and after how many attempts', async () => {
  const failing = (type: string) => `[[responses]]\npattern = { type = "any" }\nfailure = { type = "${type}" }\n`;
  const asks = `const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hello' }] });
const headers = { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY, 'anthropic-version': '2023-06-01' };
for (let sent = 0; sent < 3; sent++) await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body });
`;
  writeFiles(scratch.path, {
    'busy.toml': failing('overloaded'),
    'limit.toml': failing('rate_limit'),
    'ask.mjs': asks,
  });
  const told = async (scenario: string, ...args: string[]) => {
    const { code, stdout, stderr } = await exec([...args, '--scenario', scenario, '--', 'node', 'ask.mjs']);
    expect(code, stderr).toBe(0);
    return `${stdout}${stderr}`;
  };
  expect(await told('limit.toml')).toMatch(/1\. POST \/v1\/messages → failed: rate_limit, 3 attempts, \d+ ms/);
  expect(await told('busy.toml')).toMatch(/→ failed: overloaded, 3 attempts, \d+ ms/);
  const { calls } = JSON.parse(await told('busy.toml', '--json')) as { calls: unknown[] };
  expect(calls).toMatchObject([{ outcome: 'failed', reason: 'overloaded', attempts: 3 }]);
});

it.each([
  ['the harness could not do its job', ['--scenario', 'nope.toml', '--', 'true'], 125],
  ['the agent is unknown', ['--agent', 'nobody', '--', 'true'], 125],
  ['the command is missing', ['--', './nope'], 127],
  ['the command was killed', ['--', 'sh', '-c', 'kill -TERM $$'], 143],
])('has an exit code of its own: %s', async (_, args, code) => {
  expect((await exec(args as string[])).code).toBe(code);
});

it('hands on the environment and the home of the user, and no keys', async () => {
  const script = 'echo "$MINE $HOME ${ANTHROPIC_API_KEY#sk-understudy-}"';
  const env = { MINE: 'mine', HOME: '/home/me', ANTHROPIC_API_KEY: 'a-real-key' };
  const { stdout } = await exec(['--', 'sh', '-c', script], env);
  expect(stdout).toMatch(/^mine \/home\/me \S+\.1\.0\n$/);
  expect(stdout).not.toContain('a-real-key');
});

it('hands on signals', async () => {
  const script = 'trap "echo told; exit 3" TERM; echo ready; while :; do sleep 0.05; done';
  const child = spawn(
    process.execPath,
    [UNDERSTUDY, 'exec', '--stage', 'sim', '--scenario', 's.toml', '--', 'sh', '-c', script],
    {
      cwd: scratch.path,
    },
  );
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (chunk.toString().includes('ready')) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  expect({ code, out }).toEqual({ code: 3, out: 'ready\ntold\n' });
});

it('ends a command that does not end when it is told to', { timeout: 60_000 }, async () => {
  const stubborn = "trap '' TERM; echo ready; while :; do sleep 1; done";
  const args = ['exec', '--stage', 'sim', '--scenario', 's.toml', '--', 'sh', '-c', stubborn];
  const child = spawn(process.execPath, [UNDERSTUDY, ...args], { cwd: scratch.path });
  child.stdout.once('data', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'close');
  expect(code).toBe(128 + constants.signals.SIGKILL);
});

it.each(['sim', 'scripted'] as const)('writes one document and a log of every event, on %s', async (stage) => {
  if (stage === 'scripted' && (await realAgent('claude')) === undefined) return;
  // Plain text tells no tools: they come from the stand-in's log, or from the requests to the model.
  const flags = '--dangerously-skip-permissions';
  const script = `claude -p "hello a" ${flags} > a.txt & claude -p "hello b" ${flags} < /dev/null > b.txt & wait; cat a.txt b.txt`;
  const args = ['--stage', stage, '--agent', 'claude', '--state', 'session', '--json', '--log', 'log.jsonl'];
  const { code, stdout, stderr } = await exec([...args, '--', 'sh', '-c', script]);
  const document = JSON.parse(stdout) as { calls: { prompt: string; tools: string[]; said: string }[] };
  expect(document).toMatchObject({ exit: { code: 0 }, unanswered: [], leftovers: [] });
  const calls = document.calls.map(({ prompt, said, tools }) => ({ prompt, said, tools }));
  const other = calls.find(({ said }) => said.includes('Second'));
  expect(calls.map(({ prompt }) => prompt).sort()).toEqual(['hello a', 'hello b']);
  expect(other?.tools).toEqual([]);
  expect(calls.find((call) => call !== other)).toMatchObject({ said: 'Hi.', tools: ['Bash'] });
  expect(code).toBe(0);
  expect(stderr.replace(/\s+/g, ' ')).toContain('Hi.');
  const events = readEventLog(join(scratch.path, 'log.jsonl'));
  const ofCall = (number: number) => events.filter(({ call }) => call === number).map(({ type }) => type);
  expect(ofCall(1)).toEqual(
    expect.arrayContaining(['call', 'session', 'prompt', 'text', 'process_ended', 'turn_ended']),
  );
  expect([...ofCall(1), ...ofCall(2)].filter((type) => type === 'tool_call')).toHaveLength(1);
});

it('gives the real Codex a home in which it has its own sandbox', async ({ skip }) => {
  if ((await realAgent('codex')) === undefined) skip('there is no real Codex');
  const script = 'codex exec --skip-git-repo-check -s workspace-write hello';
  const { code, stderr } = await exec(['--stage', 'scripted', '--agent', 'codex', '--', 'sh', '-c', script]);
  // Without its helpers its sandbox would run no command, and nobody would say so.
  expect(stderr).toContain('Hi.');
  expect(stderr).not.toContain('helper binaries');
  expect(code).toBe(0);
});
