import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { closePipe, readFrom, takePipes } from './real-pipe.js';

it.runIf(process.platform === 'linux').each([true, false])('reads a pipe to its end (polled: %s)', async (isPolled) => {
  const [pipe] = takePipes(1) ?? [];
  if (pipe === undefined) throw new Error('there is no pipe');
  const line = 'yes | head -c 200000 > /dev/stdout; sleep 0.1; echo end > /dev/stderr';
  spawn('/bin/sh', ['-c', line], { stdio: ['ignore', pipe.write, pipe.write] });
  let text = '';
  for await (const chunk of readFrom(pipe, isPolled)) text += chunk;
  expect([text.length, text.slice(-6)]).toEqual([200_004, 'y\nend\n']);
});

it.runIf(process.platform === 'linux')('never gives the same pipe twice', () => {
  const pipes = Array.from({ length: 12 }, () => takePipes(3) ?? []).flat();
  const descriptors = pipes.flatMap(({ read, write }) => [read, write]);
  expect(new Set(descriptors).size).toBe(72);
  for (const pipe of pipes) closePipe(pipe);
});
