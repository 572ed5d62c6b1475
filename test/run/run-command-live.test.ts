import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { type ModelServer, startModelServer } from '../../packages/model/src/server/server.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { realAgent } from '../helpers/real-agents.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  scratch = createScratch('run-live');
  writeFiles(scratch.path, { 'a.rehearsal.toml': greeting() });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await scratch.remove();
});

async function modelThatSays(text: string): Promise<ModelServer> {
  const server = await startModelServer({ scenario: defineScenario({ default_response: text }) });
  closing.push(() => server.close());
  return server;
}

/** A model on loopback that says something else in its second conversation, as a real one may. */
async function moodyUpstream(first: string, later: string): Promise<string> {
  const [before, after] = [await modelThatSays(first), await modelThatSays(later)];
  const sessions: string[] = [];
  const server = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const session = String(request.headers['x-claude-code-session-id'] ?? '');
    if (session !== '' && !sessions.includes(session)) sessions.push(session);
    const { url, key } = session === sessions[0] ? before : after;
    const answer = await fetch(`${url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-claude-code-session-id': session },
      ...(body.length === 0 ? {} : { body: Buffer.concat(body) }),
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const KEY = 'sk-ant-loopback-loopback';

async function runLive(url: string, ...args: string[]) {
  const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY };
  const { code, stdout, stderr } = await runUnderstudy(['run', '--stage', 'live', '--json', ...args], {
    cwd: scratch.path,
    env,
  });
  return { code, run: runResultSchema.parse(JSON.parse(stdout)), stderr };
}

it('marks a live rehearsal that passed at the second try as flaky', async (context) => {
  await realAgent('claude', context);
  const { code, run } = await runLive(await moodyUpstream('Hello.', 'Hello, I have a plan.'), '--retries', '1');
  expect(run).toMatchObject({
    counts: { flaky: 1, passed: 0, failed: 0 },
    entries: [{ status: 'flaky', attempts: 2 }],
  });
  expect(code).toBe(0);
});

it('tries a live rehearsal no more often than it is told', async (context) => {
  await realAgent('claude', context);
  const once = await runLive(await moodyUpstream('Hello.', 'Hello, I have a plan.'));
  expect(once).toMatchObject({ code: 1, run: { counts: { failed: 1 }, entries: [{ status: 'failed', attempts: 1 }] } });
  const twice = await runLive(await moodyUpstream('Hello.', 'Good day.'), '--retries', '1');
  expect(twice).toMatchObject({
    code: 1,
    run: { counts: { failed: 1 }, entries: [{ status: 'failed', attempts: 2 }] },
  });
});

it('knows the tools of a call that prints text only, from the transcript of the CLI', async (context) => {
  await realAgent('claude', context);
  const rehearsal = (tool: string) => `name = "a program on live"
agents = ["claude"]
[[steps]]
run = ["claude", "-p", "look around", "--dangerously-skip-permissions"]
[steps.expect]
stdout = "All seen."
[[steps.expect.call]]
says = "All seen."
tools = { all = ["${tool}"] }
`;
  writeFiles(scratch.path, { 'a.rehearsal.toml': rehearsal('Bash'), 'b.rehearsal.toml': rehearsal('Read') });
  const response = { text: 'All seen.', tool_calls: [{ tool: 'Bash', input: { command: 'true' } }] };
  const server = await startModelServer({
    scenario: defineScenario({ responses: [{ pattern: { type: 'any' }, response }] }),
    key: KEY,
  });
  closing.push(() => server.close());
  const { run } = await runLive(server.url);
  const failed = run.entries.map(({ steps: [step] }) => step?.checks.filter(({ status }) => status !== 'passed'));
  expect(failed).toMatchObject([[], [{ name: 'call 1: tools: all', status: 'failed', actual: 'Bash' }]]);
}, 60_000);

it('writes no key down, even when a tool prints it', async (context) => {
  await realAgent('claude', context);
  // Only the name of its variable shows that it is a secret.
  const key = 'opensesame-opensesame';
  const scenario = defineScenario({
    responses: [
      {
        pattern: { type: 'any' },
        response: {
          text: `The key is ${key}.`,
          tool_calls: [{ tool: 'Bash', input: { command: 'echo "seen: $ANTHROPIC_API_KEY"' } }],
        },
      },
    ],
  });
  const server = await startModelServer({ scenario, key });
  closing.push(() => server.close());
  const { stdout } = await runUnderstudy(['run', '--stage', 'live', '--json', '--keep-workspace'], {
    cwd: scratch.path,
    env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: key },
  });
  const files = readdirSync(join(scratch.path, '.understudy'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(scratch.path, '.understudy', name))
    .filter((file) => statSync(file).isFile());
  const events = files.find((file) => file.endsWith('events.jsonl')) ?? '';
  expect(readFileSync(events, 'utf8')).toContain('seen: [secret]');
  expect(statSync(events).mode & 0o777).toBe(0o600);
  expect(files.filter((file) => readFileSync(file, 'utf8').includes(key))).toEqual([]);
  expect(stdout).toContain('The key is [secret].');
  expect(stdout).not.toContain(key);
});
