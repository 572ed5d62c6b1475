import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import { loopWorkspace, readLoopFacts, runLoopIn } from '../helpers/loop-workspace.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

/** An agent that ignores SIGTERM, and whose helper has a session of its own. */
const STUBBORN = `#!/bin/sh
trap '' TERM
setsid sh -c 'trap "" TERM; echo $$ > helper.pid; while :; do sleep 1; done' &
echo $$ > agent.pid
echo "seen before the end"
while :; do sleep 1; done
`;
const config = (more = '') =>
  `cli: { backend: custom, command: ./agent ${more} }\nevent_loop: { max_runtime_seconds: 1 }\n`;

const pid = (root: string, name: string) => Number(readFileSync(join(root, name), 'utf8'));

async function until(condition: () => boolean, longestMs = 20_000): Promise<void> {
  const started = performance.now();
  while (!condition()) {
    if (performance.now() - started > longestMs) throw new Error(`it did not happen in ${longestMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

it('ends an agent that takes too long with everything it started, and keeps what it said', async () => {
  const root = loopWorkspace({ 'ralph.yml': config(), agent: STUBBORN });
  const started = performance.now();
  const { result, end, ends } = await runLoopIn(root, ['-p', 'x']);
  expect(result.code).toBe(2);
  expect(end).toMatchObject({ reason: 'max_runtime', exitCode: 2, iterations: 1 });
  expect(ends).toMatchObject([{ ending: 'runtime', failed: true, output: 'seen before the end' }]);
  expect(performance.now() - started).toBeLessThan(30_000);
  await until(() => !isAlive(pid(root, 'agent.pid')) && !isAlive(pid(root, 'helper.pid')), 10_000);
});

it('ends an agent that has gone silent when the configuration says so', async () => {
  const root = loopWorkspace({
    'ralph.yml':
      'cli: { backend: custom, command: ./agent, idle_timeout_secs: 0.3 }\nevent_loop: { max_consecutive_failures: 1 }\n',
    agent: '#!/bin/sh\necho hello\nexec sleep 60\n',
  });
  const { result, ends, end } = await runLoopIn(root, ['-p', 'x']);
  expect([result.code, end?.reason]).toEqual([1, 'consecutive_failures']);
  expect(ends).toMatchObject([{ ending: 'idle', output: 'hello' }]);
});

it.each(['SIGINT', 'SIGTERM'] as const)('ends with 130 and nothing left on %s', async (signal) => {
  const root = loopWorkspace({ 'ralph.yml': 'cli: { backend: custom, command: ./agent }', agent: STUBBORN });
  const loop = spawn(process.execPath, [UNDERSTUDY, 'orchestrator', 'loop', 'run', '-p', 'x'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: 'ignore',
  });
  const exit = new Promise((resolve) => loop.once('exit', resolve));
  await until(() => existsSync(join(root, 'helper.pid')) && existsSync(join(root, 'agent.pid')));
  loop.kill(signal);
  expect(await exit).toBe(130);
  expect(readLoopFacts(root).end).toMatchObject({ reason: 'interrupted', exitCode: 130 });
  // Killed they are, but who inherits orphans may need a moment to take leave of them.
  await until(() => !isAlive(pid(root, 'agent.pid')) && !isAlive(pid(root, 'helper.pid')), 10_000);
});

// Killed as soon as the agent is there: the guard must know of it before it starts.
it.each([1, 2, 3])('leaves nothing behind when it is killed itself (%i)', async () => {
  const root = loopWorkspace({ 'ralph.yml': 'cli: { backend: custom, command: ./agent }', agent: STUBBORN });
  const loop = spawn(process.execPath, [UNDERSTUDY, 'orchestrator', 'loop', 'run', '-p', 'x'], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: 'ignore',
  });
  await until(() => existsSync(join(root, 'helper.pid')) && existsSync(join(root, 'agent.pid')));
  loop.kill('SIGKILL');
  await until(() => !isAlive(pid(root, 'agent.pid')) && !isAlive(pid(root, 'helper.pid')));
  expect(readLoopFacts(root)).toMatchObject({ starts: [{ iteration: 1 }], ends: [] });
});
