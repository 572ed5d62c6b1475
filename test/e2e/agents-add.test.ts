import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Terminal } from '../../src/agents/terminal/terminal.js';
import { scrubbedEnvironment } from '../../src/process/environment.js';
import { formatHolder, ownHolder } from '../../src/process/holder.js';
import { isAlive } from '../../src/process/process-table.js';
import { createScratch, type Scratch } from '../../src/process/scratch.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

let scratch: Scratch;
let store: string;
let env: Record<string, string>;

beforeEach(() => {
  scratch = createScratch('agents-add');
  store = join(scratch.path, 'store');
  env = { PATH: `${fakeNpm()}:${process.env['PATH']}`, UNDERSTUDY_STORE: store };
});

afterEach(() => scratch.remove());

/** An npm that "installs" Gemini CLI from nowhere. It waits while there is a file named `slow`. */
function fakeNpm(): string {
  const folder = join(scratch.path, 'bin');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'npm'),
    `#!/bin/sh
for last; do :; done
mkdir -p node_modules/@google/gemini-cli/bundle
echo $$ > '${scratch.path}/npm-pid'
while [ -e '${scratch.path}/slow' ]; do sleep 0.1; done
echo "console.log('\${last##*@}')" > node_modules/@google/gemini-cli/bundle/gemini.js
printf '{"packages":{"node_modules/@google/gemini-cli":{"version":"%s","integrity":"sha512-x"}}}' "\${last##*@}" > package-lock.json
`,
  );
  chmodSync(join(folder, 'npm'), 0o755);
  return folder;
}

const slow = () => writeFileSync(join(scratch.path, 'slow'), '');
const inStore = (folder: string) => readdirSync(join(store, folder));

async function fetchingNpm(): Promise<number> {
  const file = join(scratch.path, 'npm-pid');
  for (let waited = 0; waited < 20_000; waited += 50) {
    if (existsSync(file) && readFileSync(file, 'utf8').trim() !== '') return Number(readFileSync(file, 'utf8'));
    await sleep(50);
  }
  throw new Error('npm was never started');
}

it.each(['SIGINT', 'SIGTERM'] as const)('leaves neither lock nor folder nor npm behind after %s', async (signal) => {
  slow();
  const running = startUnderstudy(['agents', 'add', 'gemini@1.2.3', 'codex@1.2.3'], { cwd: scratch.path, env });
  const npm = await fetchingNpm();
  expect(inStore('.locks')).toEqual(['gemini@1.2.3']);
  running.signal(signal);
  expect(await running.exited).toBe(130);
  expect(running.output()).toContain('gemini@1.2.3: interrupted');
  expect(isAlive(npm)).toBe(false);
  expect(inStore('.locks')).toEqual([]);
  expect(inStore('.staging')).toEqual([]);
  expect(existsSync(join(store, 'gemini'))).toBe(false);
});

it('cleans up behind one that was killed with SIGKILL', async () => {
  slow();
  const running = startUnderstudy(['agents', 'add', 'gemini@1.2.3'], { cwd: scratch.path, env });
  await fetchingNpm();
  running.signal('SIGKILL');
  await running.exited;
  expect(inStore('.locks')).toEqual(['gemini@1.2.3']);
  spawnSync('rm', [join(scratch.path, 'slow')]);
  const next = await runUnderstudy(['agents', 'add', 'gemini@1.2.3'], { env });
  expect(next).toMatchObject({ code: 0, stderr: '' });
  expect(inStore('.locks')).toEqual([]);
  expect(inStore('.staging')).toEqual([]);
});

it('prints one line when it is piped', async () => {
  const { code, stdout, stderr } = await runUnderstudy(['agents', 'add', 'gemini@1.2.3'], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^✓ gemini@1\.2\.3 fetched in \d+\.\d s \S+gemini\.js\n$/);
});

it('shows its progress on a terminal', async () => {
  slow();
  const terminal = await Terminal.start({
    command: [process.execPath, UNDERSTUDY, 'agents', 'add', 'gemini@1.2.3'],
    cwd: scratch.path,
    env: scrubbedEnvironment(env),
  });
  try {
    await terminal.waitFor(/gemini@1\.2\.3: fetching from npm, [1-9]\d*\.\d s, \d+ MB/);
    spawnSync('rm', [join(scratch.path, 'slow')]);
    const screen = await terminal.waitFor(/✓ gemini@1\.2\.3 fetched in/);
    expect(screen).not.toContain('fetching');
  } finally {
    await terminal.end();
  }
});

it('says which process it waits for, and behind which lock', async () => {
  const lock = join(store, '.locks', 'gemini@1.2.3');
  mkdirSync(join(store, '.locks'), { recursive: true });
  writeFileSync(lock, formatHolder(ownHolder()));
  const running = startUnderstudy(['agents', 'add', 'gemini@1.2.3'], { cwd: scratch.path, env });
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
  mkdirSync(store);
  const run = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', FULL_DISK, 'sh', process.execPath, UNDERSTUDY, 'agents', 'add', 'gemini@1.2.3'],
    { encoding: 'utf8', env: { ...env, NO_COLOR: '1' } },
  );
  expect(run.stderr).toContain('AGENT_STORE_NOT_WRITABLE');
  expect(run.stderr).toContain('UNDERSTUDY_STORE');
  expect({ code: run.status, left: run.stdout }).toEqual({ code: 2, left: '' });
});
