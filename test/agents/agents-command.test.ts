import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { groups } from '../../src/cli/commands/index.js';
import { main } from '../../src/cli/main.js';

let scratch: Scratch;

beforeEach(() => {
  scratch = createScratch('agents-command');
  vi.stubEnv('UNDERSTUDY_STORE', join(scratch.path, 'store'));
});

afterEach(async () => {
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
    const code = await main(['node', 'understudy', ...args], groups);
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
  vi.stubEnv('PATH', `${program('gemini', 'exit 7')}:/usr/bin:/bin`);
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
  vi.stubEnv('PATH', `${program('codex', 'case "$1" in --version) echo 1.2.3;; *) exit 0;; esac')}:/usr/bin:/bin`);
  const { code, stdout } = await understudy('agents', 'list', '--try', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    agents: [{ agent: 'codex', answers: true, plays: false, problem: expect.stringContaining('no completed turn') }],
  });
});

it('asks the registry of the machine-wide npm configuration, tells that it cannot be reached, and ends with 2', async () => {
  const prefix = join(scratch.path, 'prefix');
  mkdirSync(join(prefix, 'etc'), { recursive: true });
  writeFileSync(join(prefix, 'etc', 'npmrc'), 'registry=http://127.0.0.1:9/\nfetch-retries=0\n');
  for (const name of Object.keys(process.env)) if (/^npm_config_/i.test(name)) vi.stubEnv(name, undefined);
  Object.assign(process.env, { npm_config_prefix: prefix, npm_config_userconfig: join(scratch.path, 'no-npmrc') });
  const { code, stderr } = await understudy('agents', 'add', 'codex@0.1.2');
  expect(code).toBe(2);
  expect(stderr).toContain('AGENT_REGISTRY_UNREACHABLE');
  expect(stderr).toContain('http://127.0.0.1:9/');
});

it('lists the sizes of what is in the store, and removes it', async () => {
  const program = 'console.log("0.1.0")\n';
  const folder = join(scratch.path, 'store', 'gemini', '0.1.0');
  const file = 'node_modules/@google/gemini-cli/bundle/gemini.js';
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), program);
  writeFileSync(join(folder, 'understudy.json'), '{}');
  vi.stubEnv('PATH', '/usr/bin:/bin');
  const bytes = program.length + 2;
  const list = await understudy('agents', 'list', '--json');
  expect(JSON.parse(list.stdout)).toMatchObject({ agents: [{ agent: 'gemini', version: '0.1.0', bytes }] });
  const { code, stdout } = await understudy('agents', 'remove', 'gemini@0.1.0', '--json');
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    ...{ code: 0, ok: true, bytes, failed: [] },
    removed: [{ agent: 'gemini', version: '0.1.0', bytes }],
  });
  await expect(understudy('agents', 'remove', 'gemini@0.1.0')).resolves.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('AGENT_NOT_FOUND'),
  });
  await expect(understudy('agents', 'prune')).resolves.toMatchObject({ code: 0, stdout: 'nothing to remove\n' });
});

it('refuses a name that it does not know before it fetches anything', async () => {
  const { code, stderr } = await understudy('agents', 'add', 'claude', 'clod');
  expect(code).toBe(2);
  expect(stderr).toContain('AGENT_UNKNOWN');
  expect(stderr).not.toContain('fetching');
});
