// Tries to start a container engine of its own (Debian's docker.io) without a network, makes a small image of this
// machine's programs, and runs the tests of containers in it. Bounded in time; one line says what really ran.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_MS = 20_000;
const TEST_MS = 90_000;
const IMAGE = 'understudy-test';
/** What the tests, and a stand-in, need inside. */
const PROGRAMS = 'sh bash perl cat ls touch sleep setsid mkdir rm head env id'.split(' ');

const folder = mkdtempSync(join(tmpdir(), 'understudy-engine-'));
const host = `unix://${join(folder, 'engine.sock')}`;
const env = { ...process.env, DOCKER_HOST: host };
let engine;

/** Docker's tests were not run, and why. It is no failure: most machines have no engine. */
class NotTried extends Error {}

try {
  const started = Date.now();
  await startEngine();
  makeImage();
  console.log(`docker: an engine answers, and has an image, after ${Math.round((Date.now() - started) / 1000)} s`);
  const tests = ['src/isolation/docker.test.ts', 'test/e2e/docker.test.ts'];
  const vitest = spawnSync('npx', ['vitest', 'run', '--reporter=dot', '--no-file-parallelism', ...tests], {
    ...{ env: { ...env, UNDERSTUDY_TEST_IMAGE: IMAGE }, stdio: 'inherit', timeout: TEST_MS },
  });
  if (vitest.status !== 0) process.exitCode = 1;
  console.log(`docker: the tests of containers ${vitest.status === 0 ? 'passed' : 'FAILED'} on a real engine`);
} catch (error) {
  if (!(error instanceof NotTried)) throw error;
  console.log(`docker: NOT tried on a real engine: ${error.message}`);
} finally {
  await stopEngine();
}

async function startEngine() {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new NotTried('it can be started by root on Linux only');
  for (const program of ['dockerd', 'docker', 'perl']) {
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
      throw new NotTried(`${program} is not installed`);
  }
  const log = join(folder, 'log');
  engine = spawn(
    'sh',
    [
      ...['-c', 'exec dockerd "$@" > "$0" 2>&1', log, '--data-root', join(folder, 'data')],
      ...['--exec-root', join(folder, 'exec'), '--pidfile', join(folder, 'pid'), '--host', host],
      ...['--iptables=false', '--ip6tables=false', '--bridge=none'],
    ],
    { stdio: 'ignore' },
  );
  let ended = false;
  engine.once('exit', () => {
    ended = true;
  });
  for (const deadline = Date.now() + START_MS; ; await sleep(200)) {
    if (spawnSync('docker', ['version'], { env, timeout: 5_000, stdio: 'ignore' }).status === 0) return;
    if (!ended && Date.now() < deadline) continue;
    const last = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1) : '';
    throw new NotTried(`dockerd ${ended ? 'ended' : `did not answer within ${START_MS / 1000} s`}: ${last}`);
  }
}

/** Programs of this machine and their libraries. */
function makeImage() {
  const root = join(folder, 'root');
  for (const name of ['tmp', 'run', 'proc', 'dev', 'sys', 'etc', 'root', 'home', 'usr/bin', 'usr/lib']) {
    mkdirSync(join(root, name), { recursive: true });
  }
  for (const [link, target] of [
    ['bin', 'usr/bin'],
    ['lib', 'usr/lib'],
    ['lib64', 'usr/lib64'],
  ]) {
    execFileSync('ln', ['-s', target, join(root, link)]);
  }
  mkdirSync(join(root, 'usr/lib64'));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  const files = new Set();
  for (const name of [...PROGRAMS, 'node']) {
    const program =
      name === 'node'
        ? process.execPath
        : execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    cpSync(realpathSync(program), join(root, 'usr/bin', name));
    const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
    for (const [path] of stdout.matchAll(/\/\S+(?= \()/g)) files.add(path);
  }
  // The one module of Perl that our first process uses.
  files.add(execFileSync('perl', ['-e', 'use strict; print $INC{"strict.pm"}'], { encoding: 'utf8' }));
  for (const path of files) {
    const inside = join(root, path.replace(/^\/(lib(?:64)?)\//, '/usr/$1/'));
    mkdirSync(dirname(inside), { recursive: true });
    cpSync(realpathSync(path), inside);
  }
  execFileSync('sh', ['-c', `tar -C "${root}" -c . | docker import - ${IMAGE}`], {
    env,
    stdio: 'ignore',
    timeout: START_MS,
  });
}

async function stopEngine() {
  if (engine !== undefined && engine.exitCode === null) {
    const gone = new Promise((resolve) => engine.once('exit', resolve));
    engine.kill('SIGTERM');
    await Promise.race([gone, sleep(10_000, undefined, { ref: false })]);
    if (engine.exitCode === null) engine.kill('SIGKILL');
  }
  // What an engine has mounted goes with it.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
