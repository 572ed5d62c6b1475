import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { endedWithin, runShell, startShell } from './shell.js';

const place = { cwd: tmpdir(), env: process.env };
const FOREVER = Number.POSITIVE_INFINITY;

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
    expect(await endedWithin(startShell('sleep 0.1', place), 2 ** 40)).toMatchObject({ exitCode: 0 });
  });

  it('goes on when nobody waits for it any more, whatever the signal says', async () => {
    const controller = new AbortController();
    const shell = startShell('echo one; read -r line < /dev/null; sleep 0.3; echo two', {
      ...{ ...place, signal: controller.signal, timeoutMs: FOREVER },
    });
    expect(await endedWithin(shell, 1)).toBeUndefined();
    const heard: string[] = [];
    shell.onOutput((text) => heard.push(text));
    shell.letGo(FOREVER);
    controller.abort(new Error('interrupted'));
    expect(await shell.ended).toMatchObject({ exitCode: 0, output: 'one\ntwo\n' });
    expect(heard.join('')).toMatch(/two\n$/);
  });

  it('has a new limit from then on', async () => {
    const shell = startShell('sleep 100', { ...place, timeoutMs: FOREVER });
    shell.letGo(100);
    expect(await shell.ended).toMatchObject({ timedOut: true });
  });

  it('ends with the signal while somebody waits for it', async () => {
    const controller = new AbortController();
    const shell = startShell('sleep 100', { ...place, signal: controller.signal });
    controller.abort(new Error('interrupted'));
    await expect(shell.ended).rejects.toThrow('interrupted');
  });
});
