import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startModelServer } from '../../packages/agents/src/model/server.js';
import { findAgent } from '../../packages/agents/src/store/find-agent.js';
import { storeFolder } from '../../packages/agents/src/store-folder.js';
import { defineScenario } from '../../packages/script/src/load.js';
import { probeBackend } from '../../packages/suites/src/orchestrators/probe.js';
import { loopWorkspace } from '../helpers/loop-workspace.js';
import { realAgent } from '../helpers/real-agents.js';
import { makesLongProofs } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';

/** An environment of nobody: an empty home, and the CLIs of the store. No login of this machine is ever looked at. */
function nobody(): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: loopWorkspace({}),
    UNDERSTUDY_STORE: storeFolder(process.env),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

const KEY = 'sk-ant-of-nobody-00000000';

/** What stands for a real service: our model server, on loopback. */
async function upstream(answer: string): Promise<Record<string, string>> {
  const server = await startModelServer({ key: KEY, scenario: defineScenario({ default_response: answer }) });
  onTestFinished(() => server.close());
  return { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY };
}

/** A service that takes some keys and refuses others, in front of another that takes all. */
async function guarded(url: string, takes: (key: unknown) => boolean): Promise<string> {
  const server = createServer((request, response) => {
    if (!takes(request.headers['x-api-key'])) {
      request.resume();
      const error = { type: 'authentication_error', message: 'invalid x-api-key' };
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }));
      return;
    }
    const { method, headers, url: path = '/' } = request;
    const onwards = forward(new URL(path, url), { ...(method && { method }), headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onwards);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => new Promise<void>((closed) => void server.close(() => closed()).closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const live = (backend: string, env: Record<string, string>, filter = `${backend}-connect`) =>
  runUnderstudy(['e2e', backend, '--loop', '--stage', 'live', '--grep', filter, '--skip-analysis'], {
    cwd: loopWorkspace({}),
    env,
  });

it('asks the real Claude Code whether it is signed in', async (context) => {
  const { version } = await realAgent('claude', context);
  const environment = nobody();
  expect((await probeBackend('claude', { environment })).state).toEqual({
    agent: 'claude',
    version,
    available: true,
    authenticated: false,
    detail:
      'not signed in: `claude auth status --json` knows of no login; run `claude auth login`, or set ANTHROPIC_API_KEY',
  });
  const withKey = { ...environment, ANTHROPIC_API_KEY: KEY };
  expect((await probeBackend('claude', { environment: withKey })).state).toMatchObject({
    authenticated: true,
    detail: 'ANTHROPIC_API_KEY of the environment: `claude auth status --json` says api_key',
  });
});

if (makesLongProofs)
  it('asks the real OpenCode whether it is signed in', { timeout: 300_000 }, async (context) => {
    await realAgent('opencode', context);
    const environment = nobody();
    expect((await probeBackend('opencode', { environment })).state).toMatchObject({
      available: true,
      authenticated: false,
      detail: expect.stringContaining('`opencode auth list` knows of no login'),
    });
    const withKey = { ...environment, ANTHROPIC_API_KEY: KEY };
    expect((await probeBackend('opencode', { environment: withKey })).state).toMatchObject({
      authenticated: true,
      detail: 'ANTHROPIC_API_KEY of the environment: `opencode auth list` says 1 environment variable',
    });
    const auth = join(environment['HOME'] ?? '', '.local/share/opencode/auth.json');
    mkdirSync(dirname(auth), { recursive: true });
    writeFileSync(auth, JSON.stringify({ anthropic: { type: 'api', key: 'sk-ant-of-nobody-00000000' } }));
    expect((await probeBackend('opencode', { environment: withKey })).state).toMatchObject({
      authenticated: true,
      detail: 'its own login: `opencode auth list` says 1 credentials',
    });
  });

it('runs a case live, through the key of the environment', { timeout: 300_000 }, async (context) => {
  await realAgent('claude', context);
  const env = { ...nobody(), ...(await upstream('Hello from the agent.\nLOOP_COMPLETE')) };
  const result = await live('claude', env);
  expect(result.code, result.stdout + result.stderr).toBe(0);
});

it('fails live when the model says something else', { timeout: 300_000 }, async (context) => {
  await realAgent('claude', context);
  const env = { ...nobody(), ...(await upstream('Good morning.\nLOOP_COMPLETE')) };
  const result = await live('claude', env);
  expect(result.code, result.stdout + result.stderr).toBe(1);
  expect(result.stdout).toContain('Good morning.');
});

it('spoils the key where a refusal is wanted, and only there', { timeout: 300_000 }, async (context) => {
  await realAgent('claude', context);
  const { ANTHROPIC_BASE_URL: url = '', ...key } = await upstream('Hello.\nLOOP_COMPLETE');
  const seen = new Set<unknown>();
  const gate = await guarded(url, (given) => {
    if (given !== undefined) seen.add(given);
    return given === key['ANTHROPIC_API_KEY'];
  });
  const result = await live('claude', { ...nobody(), ...key, ANTHROPIC_BASE_URL: gate }, 'auth-failure@claude');
  expect(result.code, result.stdout + result.stderr).toBe(0);
  // Its baseline with good credentials had the user's.
  expect([...seen].sort()).toEqual(['sk-ant-fake', key['ANTHROPIC_API_KEY']]);
  expect(result.stdout + result.stderr).not.toContain(key['ANTHROPIC_API_KEY']);
});

it('has no verdict where nobody is signed in, and says why', async (context) => {
  await realAgent('claude', context);
  const result = await live('claude', nobody());
  expect(result.code, result.stdout + result.stderr).toBe(2);
  expect(result.stdout).toContain('not signed in: `claude auth status --json` knows of no login');
});

it('has no verdict where there is no CLI', async () => {
  const env = { ...nobody(), UNDERSTUDY_STORE: loopWorkspace({}) };
  const found = await findAgent('kiro', { environment: env }).catch(() => undefined);
  expect(found, 'this machine has a kiro-cli among the system’s programs').toBeUndefined();
  const result = await live('kiro', env);
  expect(result.code, result.stdout + result.stderr).toBe(2);
  expect(result.stdout).toContain('kiro is not on this machine');
});
