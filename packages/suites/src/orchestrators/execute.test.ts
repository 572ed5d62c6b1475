import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, scrubbedEnvironment, UntrustedFolder } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { execute } from './execute.js';
import { observe } from './observation.js';
import { Workspaces } from './workspace.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'suite-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const run = (script: string, timeoutMs = 10_000) =>
  execute({ command: ['/bin/sh', '-c', script], cwd, env: scrubbedEnvironment(), timeoutMs });

it('keeps what was seen and leaves nobody alive at the deadline', async () => {
  const result = await run('echo seen; setsid sh -c "echo \\$\\$ > pid; sleep 600" & sleep 600', 700);
  expect(result).toMatchObject({ timedOut: true, stdout: 'seen' });
  expect(isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
});

it.runIf(process.platform === 'linux')('names whoever is left when the orchestrator ends, and ends them', async () => {
  // A new process is its parent's copy for a moment: wait until it is what it will be.
  const started = 'until grep -q ^sleep /proc/$!/cmdline; do :; done';
  const result = await run(`sleep 601 & echo $! > pid; ${started}; exit 4`);
  expect(result).toMatchObject({ code: 4, timedOut: false, leftovers: [expect.stringMatching(/^sleep 601 \(\d+\)$/)] });
  expect(isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
});

it.runIf(process.platform === 'linux')(
  'finds what an inner understudy started and left outside of every group',
  async () => {
    const inner = `${process.execPath} -e '
    const { spawn } = require("node:child_process");
    const env = { ...process.env, UNDERSTUDY_OWNER: process.env.UNDERSTUDY_OWNER + " 0123456789abcdef" };
    spawn("setsid", ["sleep", "602"], { env, detached: true, stdio: "ignore" }).unref();'`;
    const result = await run(`${inner}; sleep 0.2`);
    expect(result.leftovers).toEqual([expect.stringMatching(/^sleep 602 \(\d+\)$/)]);
  },
);

it('finds nobody when nobody is left', async () => {
  expect(await run('sleep 0.05; echo bye >&2')).toMatchObject({ code: 0, stderr: 'bye', leftovers: [] });
});

it('takes facts from files, and a torn last line is no harm', () => {
  mkdirSync(join(cwd, '.ralph'));
  writeFileSync(join(cwd, '.ralph/current-iterations'), '.ralph/iterations-1.jsonl\n');
  const start = {
    type: 'iteration_start',
    iteration: 1,
    hat: 'ralph',
    backend: 'kiro',
    command: [],
    prompt: 'p',
    pending: [],
  };
  writeFileSync(join(cwd, '.ralph/iterations-1.jsonl'), `${JSON.stringify(start)}\n{"type":"iteration_en`);
  const stdout = 'ITERATION 9\nLoop terminated: completed';
  const seen = observe(new UntrustedFolder(cwd), [
    { command: [], code: 0, signal: null, stdout, stderr: '', milliseconds: 1, timedOut: false, leftovers: [] },
  ]);
  expect(seen.iterations).toEqual([{ iteration: 1, hat: 'ralph', backend: 'kiro', command: [], prompt: 'p' }]);
  expect(seen.termination).toBeUndefined();
});

it('clears a workspace before use, has git ignore it, and keeps ids inside', () => {
  const workspaces = new Workspaces(cwd);
  const setup = { config: {}, prompt: 'Do it.', scenario: {} };
  const first = workspaces.create('a', setup, 'kiro');
  writeFileSync(join(first, 'old.txt'), 'old');
  const second = workspaces.create('a', { ...setup, files: { 'deep/x.txt': 'x' } }, 'kiro');
  expect(existsSync(join(second, 'old.txt'))).toBe(false);
  expect(readFileSync(join(second, 'deep/x.txt'), 'utf8')).toBe('x');
  expect(readFileSync(join(second, 'ralph.yml'), 'utf8')).toBe('cli:\n  backend: kiro\n');
  expect(readFileSync(join(cwd, '.e2e-tests/.gitignore'), 'utf8')).toBe('*\n');
  expect(() => workspaces.create('../out', setup, 'kiro')).toThrow('leads out of the workspace');
});
