import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Terminal } from '../../packages/agents/src/terminal/terminal.js';
import { scrubbedEnvironment } from '../../packages/kit/src/process/environment.js';
import { formatHolder, ownHolder } from '../../packages/kit/src/process/holder.js';
import { isAlive } from '../../packages/kit/src/process/process-table.js';
import { type FakeNpm, startFakeNpm } from '../helpers/fake-npm.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

let npm: FakeNpm;

beforeEach(() => {
  npm = startFakeNpm();
});

afterEach(() => npm.remove());

const ADD = ['agents', 'add', 'gemini@1.2.3'];
const inStore = (folder: string) => readdirSync(join(npm.store, folder));

async function fetching(): Promise<number> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    const pid = npm.pid();
    if (pid !== undefined) return pid;
    await sleep(50);
  }
  throw new Error('npm was never started');
}

it.each(['SIGINT', 'SIGTERM'] as const)('leaves neither lock nor folder nor npm behind after %s', async (signal) => {
  npm.hold(true);
  const running = startUnderstudy([...ADD, 'codex@1.2.3'], { cwd: npm.folder, env: npm.env });
  const pid = await fetching();
  expect(inStore('.locks')).toEqual(['gemini@1.2.3']);
  running.signal(signal);
  expect(await running.exited).toBe(130);
  expect(running.output()).toContain('gemini@1.2.3: interrupted');
  expect(isAlive(pid)).toBe(false);
  expect(inStore('.locks')).toEqual([]);
  expect(inStore('.staging')).toEqual([]);
  expect(existsSync(join(npm.store, 'gemini'))).toBe(false);
});

it('cleans up behind one that was killed with SIGKILL', async () => {
  npm.hold(true);
  const running = startUnderstudy(ADD, { cwd: npm.folder, env: npm.env });
  await fetching();
  running.signal('SIGKILL');
  await running.exited;
  expect(inStore('.locks')).toEqual(['gemini@1.2.3']);
  npm.hold(false);
  const next = await runUnderstudy(ADD, { env: npm.env });
  expect(next).toMatchObject({ code: 0, stderr: '' });
  expect(inStore('.locks')).toEqual([]);
  expect(inStore('.staging')).toEqual([]);
});

it('prints one line when it is piped', async () => {
  const { code, stdout, stderr } = await runUnderstudy(ADD, { env: npm.env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^✓ gemini@1\.2\.3 fetched in \d+\.\d s, \d+\.\d MB \S+gemini\.js\n$/);
});

it('shows its progress on a terminal', async () => {
  npm.hold(true);
  const terminal = await Terminal.start({
    command: [process.execPath, UNDERSTUDY, ...ADD],
    cwd: npm.folder,
    env: scrubbedEnvironment(npm.env),
  });
  try {
    await terminal.waitFor(/gemini@1\.2\.3: fetching from npm, [1-9]\d*\.\d s, \d+\.\d MB/);
    npm.hold(false);
    const screen = await terminal.waitFor(/✓ gemini@1\.2\.3 fetched in/);
    expect(screen).not.toContain('fetching');
  } finally {
    await terminal.end();
  }
});

it('says which process it waits for, and behind which lock', async () => {
  const lock = join(npm.store, '.locks', 'gemini@1.2.3');
  mkdirSync(join(npm.store, '.locks'), { recursive: true });
  writeFileSync(lock, formatHolder(ownHolder()));
  const running = startUnderstudy(ADD, { cwd: npm.folder, env: npm.env });
  expect(await running.says(/waiting for .*/)).toContain(`waiting for process ${process.pid}, which holds ${lock}`);
  running.signal('SIGINT');
  expect(await running.exited).toBe(130);
  expect(readFileSync(lock, 'utf8')).toBe(formatHolder(ownHolder()));
});

/** Makes the store a small disk, fills it, and lists what is left in it after the command. */
const FULL_DISK = `mount -t tmpfs -o size=64k tmpfs "$UNDERSTUDY_STORE" && cd "$UNDERSTUDY_STORE" && mkdir .locks || exit 99
cat /dev/zero > full 2>/dev/null
"$@"; code=$?
find . -mindepth 1 ! -name full ! -name .locks
exit $code`;

it('leaves no lock on a full disk, and says what is wrong', async (context) => {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) context.skip('this system has no mount namespaces');
  mkdirSync(npm.store);
  const run = spawnSync('unshare', ['-rm', 'sh', '-c', FULL_DISK, 'sh', process.execPath, UNDERSTUDY, ...ADD], {
    encoding: 'utf8',
    env: { ...npm.env, NO_COLOR: '1' },
  });
  expect(run.stderr).toContain('AGENT_STORE_NOT_WRITABLE');
  expect(run.stderr).toContain('UNDERSTUDY_STORE');
  expect({ code: run.status, left: run.stdout }).toEqual({ code: 2, left: '' });
});
