import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  Child,
  createScratch,
  dockerClient,
  removeContainers,
  runToEnd,
  type Scratch,
  scrubbedEnvironment,
} from '@understudy/kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDocker } from './docker.js';
import type { SandboxLimits } from './limits.js';
import type { Isolation } from './provider.js';

/** `node scripts/with-docker.mjs npx vitest run` starts an engine with this image. */
const IMAGE = process.env['UNDERSTUDY_TEST_IMAGE'] ?? '';
const MB = 1024 ** 2;

describe.skipIf(IMAGE === '')('a container', () => {
  let scratch: Scratch;
  let server: Server;
  let cwd: string;

  beforeAll(async () => {
    scratch = createScratch('docker-test');
    cwd = join(scratch.path, 'project');
    mkdirSync(cwd);
    writeFileSync(join(scratch.path, 'secret'), 'of another test');
    server = createServer((_, response) => response.end('from outside'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  });

  afterAll(async () => {
    server.close();
    await scratch.remove();
  });

  async function open(limits: Partial<SandboxLimits> = {}, image: string = IMAGE): Promise<Isolation> {
    const { port } = server.address() as AddressInfo;
    const isolation = await openDocker({ writable: [cwd], readable: [], ports: [port], limits }, image);
    onTestFinished(() => isolation.close());
    return isolation;
  }

  const start = (isolation: Isolation, script: string) => ({
    ...{ command: ['/bin/sh', '-c', script], cwd, env: scrubbedEnvironment() },
    ...{ enclosure: isolation.enclosure, deadlineMs: 30_000 },
  });

  /** Names of containers of ours. */
  function containers(): string[] {
    const [program, ...args] = dockerClient();
    const { stdout } = spawnSync(program, [...args, 'ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' });
    return stdout.split('\n').filter((name) => name.startsWith(`understudy-${process.pid}-`));
  }

  it('lets a command work in its project, reach its port and nothing else, and is gone afterwards', async () => {
    const isolation = await open();
    const { port } = server.address() as AddressInfo;
    const ask = `perl -e 'socket S, 2, 1, 0; connect S, pack "S n C4 x8", 2, ${port}, 127, 0, 0, 1; syswrite S, "GET / HTTP/1.0\\r\\n\\r\\n"; print while <S>'`;
    const ended = await runToEnd(
      start(isolation, `echo x > made; cat ${scratch.path}/secret; touch /usr/x; ${ask}; (setsid sleep 60 &); exit 3`),
    );
    expect(ended).toMatchObject({ code: 3, stdout: expect.stringContaining('from outside') });
    expect(ended.stderr).toMatch(/No such file[\s\S]*(Read-only|Permission)/);
    expect(readFileSync(join(cwd, 'made'), 'utf8')).toBe('x\n');
    expect(isolation.look()).toEqual([]);
    const out = `perl -e 'socket S, 2, 2, 0; connect S, pack "S n C4 x8", 2, 53, 192, 0, 2, 1'`;
    await runToEnd(start(isolation, out));
    expect(isolation.look()).toMatchObject([{ kind: 'network' }]);
    expect(containers()).toEqual([]);
  });

  it('gets signals, and ends when we end it', async () => {
    const isolation = await open();
    const child = await Child.start({
      ...start(isolation, 'trap "echo got it; exit 7" TERM; echo ready; while :; do sleep 0.05; done'),
      onLine: (line) => {
        if (line === 'ready') child.signal('SIGTERM');
      },
    });
    expect(await child.exitWithin(20_000, 'deadline')).toMatchObject({ code: 7, signal: null });
    const endless = await Child.start({
      ...start(isolation, 'echo ready; sleep 300'),
      onLine: () => endless.killNow('x'),
    });
    await endless.exited;
    await expect.poll(containers, { timeout: 20_000, interval: 200 }).toEqual([]);
  });

  it('has limits that are told', async () => {
    const isolation = await open({ memoryBytes: 100 * MB, processes: 60 });
    const memory = await runToEnd(start(isolation, `perl -e '$x = "x" x ${150 * MB}; sleep 15'`));
    expect(memory).toMatchObject({ signal: 'SIGKILL' });
    expect(isolation.look()).toMatchObject([{ kind: 'memory' }]);
    await runToEnd(
      start(
        isolation,
        `perl -e 'for (1 .. 80) { last if !defined(my $p = fork); if (!$p) { sleep 15; exit } } sleep 15'`,
      ),
    );
    expect(isolation.look()).toMatchObject([{ kind: 'processes' }]);
  });

  it('that does not start was not watched, and nothing is fetched', async () => {
    const isolation = await open({}, 'understudy-no-such-image');
    const ended = await runToEnd(start(isolation, 'true'));
    expect(ended).toMatchObject({ code: 125, stderr: expect.stringMatching(/No such image|not found/i) });
    expect(ended.stderr).not.toMatch(/dial tcp|registry/);
    expect(isolation.look()).toMatchObject([{ kind: 'unwatched', text: expect.stringContaining('did not start') }]);
  });

  it('that was made and never started is removed by its name', async () => {
    const [program, ...args] = dockerClient();
    const name = `understudy-${process.pid}-000000.x-t-made-1`;
    const run = (...more: string[]) => spawnSync(program, [...args, ...more], { encoding: 'utf8' });
    run('create', '--network', 'none', '--name', name, IMAGE, 'true');
    expect(await removeContainers([name, `${name}-other`])).toEqual([name]);
    expect(containers()).toEqual([]);
  });
});
