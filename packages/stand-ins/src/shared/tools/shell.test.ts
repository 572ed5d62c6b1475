import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runShell } from './shell.js';

const place = { cwd: tmpdir(), env: process.env };

describe('a shell', () => {
  it('gives what it printed, its exit code and its last folder', async () => {
    expect(await runShell('cd /; echo out; echo err >&2; exit 3', place)).toMatchObject({
      ...{ exitCode: 3, output: 'out\nerr\n', timedOut: false, finalCwd: '/' },
    });
  });

  it('has output that programs can open by its path, in the order in which it came', async () => {
    const line = 'echo one; echo two > /dev/stderr; echo three | tee /dev/stderr; echo four > /dev/stdout';
    const commandLine = ['/bin/sh', '-c', line] as const;
    for (const how of [place, { ...place, commandLine }])
      expect(await runShell(line, how)).toMatchObject({ exitCode: 0, output: 'one\ntwo\nthree\nthree\nfour\n' });
  });

  it('is killed when its time is over', async () => {
    expect(await runShell('echo out; sleep 100', { ...place, timeoutMs: 300 })).toMatchObject({
      ...{ output: 'out\n', timedOut: true },
    });
  });

  it('has all the time that it is given', async () => {
    expect(await runShell('sleep 0.1; echo out', { ...place, timeoutMs: 2 ** 40 })).toMatchObject({
      ...{ output: 'out\n', timedOut: false },
    });
    expect(await runShell('sleep 0.1', { ...place, yieldMs: 2 ** 40 })).toMatchObject({ exitCode: 0 });
  });

  it('goes on when nobody waits for it any more, whatever the signal says', async () => {
    const file = join(tmpdir(), `shell-${process.pid}-${Date.now()}`);
    onTestFinished(() => rmSync(file, { force: true }));
    const controller = new AbortController();
    const run = await runShell(`sleep 0.3; echo two > ${file}`, { ...place, signal: controller.signal, yieldMs: 1 });
    expect(run).toMatchObject({ running: true });
    controller.abort(new Error('interrupted'));
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe('two\n'), 10_000);
  });

  it('ends with the signal while somebody waits for it', async () => {
    const controller = new AbortController();
    const run = runShell('sleep 100', { ...place, signal: controller.signal });
    controller.abort(new Error('interrupted'));
    await expect(run).rejects.toThrow('interrupted');
  });
});
