import { tmpdir } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Terminal } from './terminal.js';

const MORE_THAN_ONE_READ = 'seq 1 1500; echo the last line; exit 3';

async function start(script: string): Promise<Terminal> {
  const command = ['/bin/sh', '-c', script];
  const terminal = await Terminal.start({ command, cwd: tmpdir(), env: { PATH: process.env['PATH'] ?? '' } });
  onTestFinished(() => terminal.end());
  return terminal;
}

it('shows all that a program printed, also where it had ended before we could read', async () => {
  const terminal = await start(MORE_THAN_ONE_READ);
  while (isAlive(terminal.pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  expect(await terminal.waitFor('the last line')).toContain('\n1500\n');
  expect(await ended(terminal)).toEqual({ code: 3, signal: 0 });
});

it('knows of an end when the screen shows all that came before it', async () => {
  const terminal = await start(MORE_THAN_ONE_READ);
  await ended(terminal);
  expect(terminal.text()).toContain('the last line');
});

it('ends although something goes on that prints for ever', async () => {
  const terminal = await start('trap "" HUP; yes & exit 3');
  expect(await ended(terminal)).toEqual({ code: 3, signal: 0 });
});

async function ended(terminal: Terminal): Promise<Terminal['exit']> {
  while (terminal.exit === undefined) await setImmediate();
  return terminal.exit;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
