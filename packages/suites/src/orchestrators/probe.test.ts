import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Backend } from './case.js';
import { probeBackend } from './probe.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'probe-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Puts a program in the place of a CLI; it tells its version, and answers all else by the script. */
function probe(backend: Backend, script: string, more: NodeJS.ProcessEnv = {}, deadlineMs = 20_000) {
  const file = join(home, backend);
  writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && echo 9.8.7 && exit 0\nenv > "$HOME/asked"\n${script}\n`);
  chmodSync(file, 0o755);
  const environment = {
    PATH: process.env['PATH'],
    HOME: home,
    UNDERSTUDY_STORE: join(home, 'empty'),
    [`UNDERSTUDY_${backend.toUpperCase()}`]: file,
    ...more,
  };
  return probeBackend(backend, { environment, deadlineMs });
}

const SAYS_YES = `echo '{"loggedIn": true, "authMethod": "claude.ai"}'`;
const SAYS_NO = `echo '{"loggedIn": false, "authMethod": "none"}'; exit 1`;
const TAKES_KEYS = `[ -n "$ANTHROPIC_API_KEY" ] && { echo '{"loggedIn": true, "authMethod": "api_key"}'; exit 0; }; ${SAYS_NO}`;

it('takes the CLI’s own login before a key of the environment', async () => {
  const { state, login } = await probe('claude', SAYS_YES, { ANTHROPIC_API_KEY: 'sk-ant-secret' });
  expect(state).toEqual({
    agent: 'claude',
    version: '9.8.7',
    available: true,
    authenticated: true,
    detail: 'its own login: `claude auth status --json` says claude.ai',
  });
  expect(login).toEqual({ HOME: home });
});

it('falls back on a key of the environment, and never tells it', async () => {
  const { state, login } = await probe('claude', TAKES_KEYS, { ANTHROPIC_API_KEY: 'sk-ant-secret' });
  expect(state).toMatchObject({ authenticated: true, detail: expect.stringContaining('ANTHROPIC_API_KEY of the env') });
  expect(JSON.stringify(state)).not.toContain('sk-ant-secret');
  expect(login).toEqual({ HOME: home, ANTHROPIC_API_KEY: 'sk-ant-secret' });
});

it('does not take a version for a login', async () => {
  const { state } = await probe('claude', SAYS_NO);
  expect(state).toMatchObject({ version: '9.8.7', available: true, authenticated: false });
  expect(state.detail).toContain('knows of no login; run `claude auth login`, or set ANTHROPIC_API_KEY');
});

it('lets a key do where the CLI cannot be asked, and only there', async () => {
  const key = { KIRO_API_KEY: 'ksk_secret' };
  expect((await probe('kiro', 'exit 1', key)).state).toMatchObject({
    authenticated: true,
    detail: 'KIRO_API_KEY of the environment, not tried; `kiro-cli whoami` ended with 1',
  });
  expect((await probe('kiro', 'exit 1')).state.authenticated).toBe(false);
  expect((await probe('claude', SAYS_NO, { ANTHROPIC_API_KEY: 'sk-ant-secret' })).state.authenticated).toBe(false);
});

it('does not repeat who is signed in', async () => {
  const { state } = await probe('kiro', 'echo Logged in as someone@example.org');
  expect(state).toMatchObject({ authenticated: true, detail: 'its own login: `kiro-cli whoami` says signed in' });
});

it.each([
  ['credentials', 'echo "└  2 credentials"', true],
  ['a key that it sees', 'echo "└  0 credentials"; echo "└  1 environment variable"', true],
  ['nothing', '[ "$1" = auth ] && echo "└  0 credentials" || echo "{}"', false],
  [
    'a provider of its configuration',
    `[ "$1" = auth ] && echo "0 credentials" || echo '{"provider":{"mine":{"options":{"apiKey":"sk-secret"}}}}'`,
    true,
  ],
  ['something else altogether', 'echo what?', false],
])('reads what OpenCode says: %s', async (_, script, authenticated) => {
  const { state } = await probe('opencode', script);
  expect(state).toMatchObject({ available: true, authenticated });
  expect(state.detail).not.toContain('sk-secret');
});

it('gives up on a CLI that does not answer', async () => {
  const { state } = await probe('claude', 'sleep 600', {}, 300);
  expect(state).toMatchObject({ available: true, authenticated: false, detail: expect.stringContaining('in time') });
});

it('says that a CLI is not there, and what to do', async () => {
  const environment = { PATH: home, HOME: home, UNDERSTUDY_STORE: join(home, 'empty') };
  expect((await probeBackend('kiro', { environment })).state).toMatchObject({
    version: null,
    available: false,
    authenticated: false,
    detail: expect.stringMatching(/kiro is not on this machine: Install it/),
  });
});

it('passes on what the question needs, and nothing else', async () => {
  await probe('claude', TAKES_KEYS, {
    CLAUDE_CONFIG_DIR: join(home, 'config'),
    ANTHROPIC_API_KEY: 'sk-ant-x',
    KIRO_API_KEY: 'ksk_x',
    AWS_SECRET_ACCESS_KEY: 'aws-x',
    HTTPS_PROXY: 'http://127.0.0.1:9',
  });
  const asked = readFileSync(join(home, 'asked'), 'utf8');
  expect(asked).toMatch(/^CLAUDE_CONFIG_DIR=/m);
  expect(asked).toMatch(/^ANTHROPIC_API_KEY=sk-ant-x$/m);
  expect(asked).not.toMatch(/KIRO|AWS|PROXY/);
});

it('passes on a cloud’s variables where the cloud is switched on', async () => {
  const { login } = await probe('claude', `[ -n "$CLAUDE_CODE_USE_BEDROCK" ] && ${SAYS_YES}`, {
    CLAUDE_CODE_USE_BEDROCK: '1',
    AWS_REGION: 'eu-central-1',
    CLOUD_ML_REGION: 'europe-west1',
  });
  expect(login).toEqual({ HOME: home, CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'eu-central-1' });
});
