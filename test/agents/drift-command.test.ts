import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { npmVersions } from '../../packages/agents/src/store/npm-versions.js';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { startUnderstudy } from '../helpers/running-understudy.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('drift-command');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await scratch.remove();
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it('leaves no CLI behind when it is killed', async () => {
  const pids = join(scratch.path, 'pids');
  const program = join(scratch.path, 'claude');
  // The helper drops its group and its output.
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1" = --version ] && echo 2.1.325 && exit\nsetsid sleep 600 >/dev/null 2>&1 &\necho $! $$ > '${pids}.new'\nmv '${pids}.new' '${pids}'\nsleep 600\n`,
  );
  chmodSync(program, 0o755);
  const drift = spawn(
    process.execPath,
    [UNDERSTUDY, 'drift', '--agent', 'claude', '--agent', 'claude', '--grep', 'stream-json', '--workers', '1'],
    {
      cwd: scratch.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: scratch.path, UNDERSTUDY_CLAUDE: program },
      stdio: 'ignore',
    },
  );
  onTestFinished(() => void drift.kill('SIGKILL'));
  await expect.poll(() => existsSync(pids), { timeout: 30_000 }).toBe(true);
  const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
  expect(started.map(isAlive)).toEqual([true, true]);
  drift.kill('SIGKILL');
  await expect.poll(() => started.map(isAlive), { timeout: 10_000 }).toEqual([false, false]);
});

it('tells how far it is, and what it found until it was interrupted', async () => {
  const pid = join(scratch.path, 'pid');
  const program = join(scratch.path, 'claude');
  // Each input is played twice. The first one ends otherwise the second time, the second one never ends.
  writeFileSync(
    program,
    `#!/bin/sh
[ "$1" = --version ] && echo 2.1.325 && exit
echo x >> '${scratch.path}/calls'
calls=$(wc -l < '${scratch.path}/calls')
[ $calls -le 2 ] && exit $calls
echo $$ > '${pid}.new'; mv '${pid}.new' '${pid}'
exec sleep 600
`,
  );
  chmodSync(program, 0o755);
  const only = ['--grep', 'stream-json', '--grep', 'unknown slash command', '--grep', 'hook: deny'];
  const drift = startUnderstudy(['drift', '--agent', 'claude', '--agent', 'claude', ...only, '--workers', '1'], {
    cwd: scratch.path,
    env: { HOME: scratch.path, UNDERSTUDY_CLAUDE: program },
  });
  onTestFinished(() => drift.signal('SIGKILL'));
  await drift.says(/claude@2\.1\.325 → claude@2\.1\.325: \d inputs, 1 at the same time\n/);
  await expect.poll(() => existsSync(pid), { timeout: 30_000 }).toBe(true);
  drift.signal('SIGINT');
  expect(await drift.exited).toBe(130);
  expect(drift.output()).toMatch(/\*\*Only a part: it was interrupted after 1 of \d cases\.\*\*/);
  expect(drift.output()).toMatch(/exit code`: `1` → `2`/);
  expect(isAlive(Number(readFileSync(pid, 'utf8')))).toBe(false);
});

/** A registry on loopback that has some versions of one package. */
async function registry(versions: readonly string[]): Promise<string> {
  const server = createServer((request, response) => {
    const isThere = request.url === '/@anthropic-ai%2fclaude-code';
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'application/json' });
    const packument = {
      name: '@anthropic-ai/claude-code',
      'dist-tags': { latest: versions.at(-1) },
      versions: Object.fromEntries(
        versions.map((version) => [version, { name: '@anthropic-ai/claude-code', version, dist: {} }]),
      ),
    };
    response.end(JSON.stringify(isThere ? packument : { error: 'not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('asks npm for the versions of a package', async () => {
  vi.stubEnv('npm_config_registry', await registry(['2.1.1', '2.1.10', '2.1.9']));
  vi.stubEnv('npm_config_cache', join(scratch.path, 'cache'));
  vi.stubEnv('npm_config_fetch_retries', '0');
  vi.stubEnv('npm_config_userconfig', join(scratch.path, 'npmrc'));
  expect((await npmVersions('@anthropic-ai/claude-code')).toSorted()).toEqual(['2.1.1', '2.1.10', '2.1.9']);
  await expect(npmVersions('@anthropic-ai/nothing')).rejects.toThrow('the versions of @anthropic-ai/nothing');
  vi.stubEnv('npm_config_registry', await registry(['2.1.1']));
  expect(await npmVersions('@anthropic-ai/claude-code')).toEqual(['2.1.1']);
});
