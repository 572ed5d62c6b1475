import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive, scrubbedEnvironment } from '@understudy/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runProgram } from './run-program.js';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'program-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const run = (script: string, timeoutMs = 10_000) =>
  runProgram({ command: ['/bin/sh', '-c', script], cwd, env: scrubbedEnvironment(), timeoutMs });

it('keeps what was seen and leaves nobody alive at the deadline', async () => {
  const result = await run('echo seen; setsid sh -c "echo \\$\\$ > pid; sleep 600" & sleep 600', 700);
  expect(result).toMatchObject({ timedOut: true, stdout: 'seen' });
  expect(isAlive(Number(readFileSync(join(cwd, 'pid'), 'utf8')))).toBe(false);
});

it.runIf(process.platform === 'linux')('names whoever is left when the program ends, and ends them', async () => {
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
