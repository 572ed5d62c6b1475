import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.js';
import { main } from '../../src/cli/main.js';
import { createScratch, type Scratch } from '../../src/process/scratch.js';

let scratch: Scratch;
const saved = { ...process.env };

beforeEach(() => {
  scratch = createScratch('agents-command');
  process.env['UNDERSTUDY_STORE'] = join(scratch.path, 'store');
});

afterEach(async () => {
  process.env = { ...saved };
  await scratch.remove();
});

async function understudy(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const out = { stdout: '', stderr: '' };
  const real = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = ((chunk: string) => {
      out[name] += chunk;
      return true;
    }) as typeof process.stdout.write;
  }
  process.exitCode = undefined;
  try {
    const code = await main(['node', 'understudy', ...args], commands);
    return { code, ...out };
  } finally {
    process.exitCode = undefined;
    process.stdout.write = real.stdout;
    process.stderr.write = real.stderr;
  }
}

function program(name: string, script: string): string {
  const folder = join(scratch.path, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

it('lists what is on PATH, which version it is and whether it answers, and how to get the rest', async () => {
  program('codex', 'echo codex-cli 1.2.3');
  process.env['PATH'] = `${program('gemini', 'exit 7')}:/usr/bin:/bin`;
  const { code, stdout } = await understudy('agents', 'list', '--json');
  const { agents, missing } = JSON.parse(stdout) as {
    agents: { agent: string }[];
    missing: { agent: string; fix: string }[];
  };
  expect(code).toBe(0);
  expect(agents).toMatchObject([
    { agent: 'codex', version: '1.2.3', answers: true, chosen: true, source: 'path' },
    { agent: 'gemini', answers: false, chosen: false, problem: expect.stringContaining('7') },
  ]);
  expect(missing.find(({ agent }) => agent === 'claude')?.fix).toBe('understudy agents add claude');
  expect(missing.find(({ agent }) => agent === 'kiro')?.fix).toContain('not on npm');
});

it('fails an agent that answers to --version and cannot hold a turn', async () => {
  process.env['PATH'] = `${program('codex', 'case "$1" in --version) echo 1.2.3;; *) exit 0;; esac')}:/usr/bin:/bin`;
  const { code, stdout } = await understudy('agents', 'list', '--try', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    agents: [{ agent: 'codex', answers: true, plays: false, problem: expect.stringContaining('no completed turn') }],
  });
});

it('tells a registry that cannot be reached, and ends with 2', async () => {
  process.env['npm_config_registry'] = 'http://127.0.0.1:9/';
  process.env['npm_config_fetch_retries'] = '0';
  const { code, stderr } = await understudy('agents', 'add', 'codex@0.1.2');
  expect(code).toBe(2);
  expect(stderr).toContain('AGENT_REGISTRY_UNREACHABLE');
});

it('refuses a name that it does not know before it fetches anything', async () => {
  const { code, stderr } = await understudy('agents', 'add', 'claude', 'clod');
  expect(code).toBe(2);
  expect(stderr).toContain('AGENT_UNKNOWN');
  expect(stderr).not.toContain('fetching');
});
