import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { runWithInput } from './run-with-input.js';

const options = { cwd: tmpdir(), env: { PATH: process.env['PATH'] }, input: 'in\n', timeoutMs: 10_000 };

it('gives a program its input, and keeps all that it wrote', async () => {
  const run = await runWithInput({ ...options, command: { shellLine: 'cat; echo err >&2; exit 3' } });
  expect(run).toMatchObject({ stdout: 'in\n', stderr: 'err\n', exitCode: 3, cancelled: false });
});

it('runs a program without a shell', async () => {
  const run = await runWithInput({ ...options, command: { program: 'echo', args: ['$HOME', 'a  b'] } });
  expect(run.stdout).toBe('$HOME a  b\n');
});

it('ends it, with all that it started, when its time is over', async () => {
  const run = await runWithInput({ ...options, command: { shellLine: 'sleep 60 & sleep 60' }, timeoutMs: 100 });
  expect(run.cancelled).toBe(true);
  expect(run.durationMs).toBeLessThan(15_000);
});

it('ends with 127 where there is no such program', async () => {
  const run = await runWithInput({ ...options, command: { program: 'no-such-program', args: [] } });
  expect(run).toMatchObject({ exitCode: 127, stderr: expect.stringContaining('ENOENT') });
});

it('keeps a bounded part of what a program prints, and says how much there was', async () => {
  const run = await runWithInput({ ...options, command: { shellLine: 'head -c 12000000 /dev/zero | tr "\\\\0" x' } });
  expect(run.stdout.length).toBeLessThan(10_000_200);
  expect(run.stdout).toMatch(/x\n\[understudy: cut after 10000000 characters, 2000000 more were printed\]$/);
});
