// `node scripts/with-docker.mjs CMD…` runs a command while a container engine of its own answers (Debian's docker.io,
// without a network), with a small image of this machine's programs: the tests of containers use it. Where there can be
// no engine, one line says why, and the command runs without.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_MS = 20_000;
const IMAGE = 'understudy-test';
/** What the tests, and a stand-in, need inside. */
const PROGRAMS = 'sh bash perl cat ls touch sleep setsid mkdir rm head env id'.split(' ');

const folder = mkdtempSync(join(tmpdir(), 'understudy-engine-'));
const host = `unix://${join(folder, 'engine.sock')}`;
const env = { ...process.env, DOCKER_HOST: host };
let engine;

/** Why there is no engine. It is no failure: most machines have none. */
class NotTried extends Error {}

let found = {};
try {
  const started = Date.now();
  await startEngine();
  makeImage();
  tryImage();
  console.log(`docker: an engine answers, and has an image, after ${Math.round((Date.now() - started) / 1000)} s`);
  found = { DOCKER_HOST: host, UNDERSTUDY_TEST_IMAGE: IMAGE };
} catch (error) {
  if (!(error instanceof NotTried)) throw error;
  console.log(`docker: NOT tried on a real engine: ${error.message}`);
  await stopEngine();
}
const [program, ...args] = process.argv.slice(2);
const command = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...found } });
// Who interrupts us interrupts the command, too; the engine is stopped when that has ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => command.kill(signal));
process.exitCode = await new Promise((resolve) => {
  command.once('error', (error) => {
    console.error(error.message);
    resolve(2);
  });
  command.once('exit', (code) => resolve(code ?? 1));
});
await stopEngine();

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
  const { status } = spawnSync('sh', ['-c', `tar -C "${root}" -c . | docker import - ${IMAGE}`], {
    ...{ env, stdio: 'ignore', timeout: START_MS },
  });
  if (status !== 0) throw new NotTried('it does not take an image');
}

/** A machine may let an engine start and no container: then it is not ours to judge. */
function tryImage() {
  const limits = ['--network', 'none', '--memory', '100m', '--pids-limit', '60', '--pull', 'never'];
  const { status, stderr } = spawnSync('docker', ['run', '--rm', ...limits, IMAGE, 'sh', '-c', 'exit 0'], {
    ...{ env, encoding: 'utf8', timeout: START_MS },
  });
  if (status !== 0) throw new NotTried(`no container starts: ${stderr.trim().split('\n').at(-1)}`);
}

async function stopEngine() {
  if (!existsSync(folder)) return;
  if (engine !== undefined && engine.exitCode === null) {
    const gone = new Promise((resolve) => engine.once('exit', resolve));
    engine.kill('SIGTERM');
    await Promise.race([gone, sleep(10_000, undefined, { ref: false })]);
    if (engine.exitCode === null) engine.kill('SIGKILL');
  }
  // What an engine has mounted goes with it.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
