import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CaseSetup } from './case.js';
import { changesMoreThanScript, liveStage } from './live-stage.js';

let root: string;
let workspace: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'live-'));
  workspace = join(root, 'workspace');
  mkdirSync(workspace);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const setup: CaseSetup = { config: {}, prompt: 'Say hello.', scenario: { default_response: 'Hello.' } };
const refused: CaseSetup = {
  ...setup,
  scenario: { responses: [{ pattern: { type: 'any' }, failure: { type: 'auth_error' } }] },
};

/** A CLI that has its own login, one that needs a key; both show the environment that they run in. */
function stage() {
  const program = (name: string, answer: string) => {
    const file = join(root, name);
    writeFileSync(
      file,
      `#!/bin/sh\n[ "$1" = --version ] && echo 1.2.3 && exit\n[ "$1" = show ] && exec env\n${answer}\n`,
    );
    chmodSync(file, 0o755);
    return file;
  };
  return liveStage({
    environment: {
      PATH: process.env['PATH'],
      HOME: root,
      UNDERSTUDY_STORE: join(root, 'empty'),
      UNDERSTUDY_CLAUDE: program('claude', `echo '{"loggedIn": true, "authMethod": "claude.ai"}'`),
      UNDERSTUDY_OPENCODE: program('opencode', '[ -n "$OPENAI_API_KEY" ] && echo 1 environment variable'),
      ANTHROPIC_API_KEY: 'sk-ant-user',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      OPENAI_API_KEY: 'sk-user',
      AWS_SECRET_ACCESS_KEY: 'aws-user',
    },
  });
}

/** What a program of the case sees of the environment. */
function seenBy(program: string, env: Record<string, string>): Record<string, string> {
  const { stdout } = spawnSync(join(workspace, '.home/bin', program), ['show'], { env, encoding: 'utf8' });
  return Object.fromEntries(stdout.split('\n').map((line) => line.split('=', 2) as [string, string]));
}

it('gives each CLI its own login, and nobody another’s', async () => {
  const live = stage();
  expect(await live.state('claude')).toMatchObject({ authenticated: true, version: '1.2.3' });
  expect(await live.state('opencode')).toMatchObject({ authenticated: true });
  expect(await live.state('kiro')).toMatchObject({ available: false });
  const { env } = await live.prepare({ workspace, setup, backend: 'claude' });
  expect(env).toMatchObject({ HOME: root, OPENAI_API_KEY: 'sk-user' });
  expect(env).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
  expect(env).not.toHaveProperty('UNDERSTUDY_SCENARIO');
  // It is signed in, so that a key would only come before its login.
  expect(seenBy('claude', env)).not.toHaveProperty('ANTHROPIC_API_KEY');
  expect(seenBy('claude', env)).not.toHaveProperty('OPENAI_API_KEY');
  expect(seenBy('opencode', env)).toMatchObject({ OPENAI_API_KEY: 'sk-user', ANTHROPIC_API_KEY: 'sk-ant-user' });
  expect(existsSync(join(workspace, '.home/bin/kiro-cli'))).toBe(false);
});

it('spoils every key where a refusal is wanted', async () => {
  const live = stage();
  await live.state('opencode');
  const { env } = await live.prepare({ workspace, setup: refused, backend: 'opencode' });
  expect(env).toMatchObject({ ANTHROPIC_API_KEY: 'sk-ant-fake', OPENAI_API_KEY: 'sk-fake' });
  expect(env['HOME']).toBe(join(workspace, '.home/nobody'));
  expect(JSON.stringify(env)).not.toMatch(/sk-(?:ant-)?user/);
});

it('leaves the CLI out where a case wants that', async () => {
  const live = stage();
  await live.state('claude');
  const { env } = await live.prepare({
    ...{ workspace, backend: 'claude' },
    setup: { ...setup, withoutBackend: true },
  });
  expect(existsSync(join(workspace, '.home/bin/claude'))).toBe(false);
  expect(env['PATH']).toBe(`${join(workspace, '.home/bin')}:/usr/bin:/bin`);
});

it('knows which changes of a setup show without a script', () => {
  expect(changesMoreThanScript(setup, { ...setup, scenario: { default_response: 'Bye.' } })).toBe(false);
  expect(changesMoreThanScript(setup, { ...setup, withoutBackend: true })).toBe(true);
  expect(changesMoreThanScript(refused, setup)).toBe(true);
});
