import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  Child,
  createScratch,
  isAlive,
  type Outcome,
  runToEnd,
  type Scratch,
  scrubbedEnvironment,
} from '@understudy/kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sandboxProblem } from './probe-sandbox.js';
import { Sandbox } from './sandbox.js';
import type { Attempt } from './watch.js';

const problem = await sandboxProblem();

describe.skipIf(problem !== undefined)('the sandbox', () => {
  let scratch: Scratch;
  let server: Server;
  let sandbox: Sandbox;
  let cwd: string;
  let other: string;
  let port: number;

  beforeAll(async () => {
    scratch = createScratch('sandbox-test');
    cwd = join(scratch.path, 'project');
    other = join(scratch.path, 'other');
    for (const folder of [cwd, other]) mkdirSync(folder);
    writeFileSync(join(other, 'secret'), 'of another test');
    server = createServer((request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.on('end', () => response.end(`${bytes} ${'y'.repeat(300_000)}`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    port = (server.address() as AddressInfo).port;
    sandbox = await Sandbox.open({ writable: [cwd], readable: [], ports: [port] });
  });

  afterAll(async () => {
    await sandbox.close();
    server.close();
    await scratch.remove();
  });

  async function run(script: string): Promise<Outcome & { attempts: Attempt[] }> {
    const outcome = await runToEnd({
      ...{ command: ['/bin/sh', '-c', script], cwd, env: scrubbedEnvironment(), enclosure: sandbox },
      ...{ deadlineMs: 20_000, noteLeftovers: true },
    });
    return { ...outcome, attempts: sandbox.look() };
  }

  it('tells npm that there is no network to wait for', async () => {
    const { stdout } = await run('echo "$npm_config_fetch_retries"');
    expect(stdout.trim()).toBe('0');
  });

  it('leaves what is around a program of the project writable, in a project below the home, too', async () => {
    vi.stubEnv('HOME', scratch.path);
    const bin = join(cwd, 'tools/bin');
    mkdirSync(bin, { recursive: true });
    const own = await Sandbox.open({ writable: [cwd], readable: [], ports: [] });
    onTestFinished(() => own.close());
    const env = { ...scrubbedEnvironment(), PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const command = ['/bin/sh', '-c', 'echo kept > tools/note && cat tools/note'];
    const ran = await runToEnd({ command, cwd, env, enclosure: own, deadlineMs: 20_000 });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('kept') });
  });

  it('sees who lists or writes a home below another folder of homes, as most are', async () => {
    const home = join(scratch.path, 'home');
    mkdirSync(home);
    vi.stubEnv('HOME', home);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const own = await Sandbox.open({ writable: [cwd], readable: [], ports: [] });
    onTestFinished(() => own.close());
    const command = ['/bin/sh', '-c', `ls ${home}; echo x > ${home}/escaped`];
    await runToEnd({ command, cwd, env: scrubbedEnvironment(), enclosure: own, deadlineMs: 20_000 });
    const texts = own.look().map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining([`${home} was listed`, `${home} was written to`]));
  });

  const kinds = ({ attempts }: { attempts: Attempt[] }) => [...new Set(attempts.map(({ kind }) => kind))];

  it('lets a command do its work, and sees nothing wrong with it', async () => {
    const ended = await run('echo out; echo err >&2; echo x > made; cat /etc/passwd > copy; mkdir /tmp/mine; exit 3');
    expect(ended).toMatchObject({ code: 3, signal: null, stdout: 'out', stderr: 'err', leftovers: [], attempts: [] });
    expect(readFileSync(join(cwd, 'made'), 'utf8')).toBe('x\n');
  });

  it('tells a signal from an exit code, and what was left running', async () => {
    const ended = await run('setsid sleep 321 & kill -9 $$');
    expect(ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(ended.leftovers).toEqual([expect.stringMatching(/^sleep 321 \(\d+\)$/)]);
  });

  it('hides homes, other projects and processes, and sees who looks', async () => {
    const home = homedir();
    const ended = await run(
      `cat ${other}/secret; cat ${home}/.ssh/id_rsa; ls ${home}; echo x > ${home}/escaped; ls /proc`,
    );
    expect(ended.stdout).not.toContain('of another test');
    expect(ended.stdout).not.toContain(String(process.pid));
    expect(kinds(ended)).toEqual(expect.arrayContaining(['read', 'write']));
    expect(existsSync(join(home, 'escaped'))).toBe(false);
  });

  it('has no way out, and counts who tries', async () => {
    const out = `perl -e 'socket S, 2, 2, 0; print connect(S, pack "S n C4 x8", 2, 53, 192, 0, 2, 1) ? "out" : "$!"'`;
    const ended = await run(out);
    expect(ended.stdout).toMatch(/unreachable/i);
    expect(kinds(ended)).toEqual(['network']);
  });

  it('reaches the ports that it may reach, in both directions and at once', async () => {
    const ask = `head -c 3000000 /dev/zero | curl -sS --data-binary @- http://127.0.0.1:${port}/ | head -c 8`;
    const ended = await run(`(${ask}) > a & (${ask}) > b & wait; cat a b`);
    expect(ended.stdout).toBe('3000000 3000000 ');
    expect(ended.attempts).toEqual([]);
  });

  it('names a port of this machine that a tool asked for and that is not offered', async () => {
    const hidden = createServer();
    await new Promise<void>((resolve) => hidden.listen(0, '127.0.0.1', () => resolve()));
    const { port: foreign } = hidden.address() as AddressInfo;
    expect(sandbox.look(`curl http://localhost:${foreign}/`)).toMatchObject([{ kind: 'network' }]);
    expect(sandbox.look(`curl http://127.0.0.1:${port}/`)).toEqual([]);
    hidden.close();
    expect((await run(`curl -sS http://127.0.0.1:${foreign}/`)).code).not.toBe(0);
  });

  it('limits files and processes, and refuses to trace', async () => {
    const number = process.arch === 'x64' ? 101 : 117;
    const ended = await run(
      `truncate -s 10G big; ls big; perl -e 'print "ptrace ", syscall(${number}, 16, getppid, 0, 0), " $!\\n"'`,
    );
    expect(ended.stdout).toMatch(/ptrace -1 Operation not permitted/);
    expect(existsSync(join(cwd, 'big')) && readFileSync(join(cwd, 'big')).length > 0).toBe(false);
    const bomb = await run(
      `perl -e 'my $n = 0; while ($n < 3000) { my $p = fork; last if !defined $p; $n++; if (!$p) { sleep 60; exit } } print $n'`,
    );
    // As root, all of them are ended; for everybody else the system refuses to start more.
    if (process.getuid?.() === 0) expect(bomb).toMatchObject({ signal: 'SIGKILL', attempts: [{ kind: 'processes' }] });
    else expect(Number(bomb.stdout)).toBeLessThan(1100);
  });

  it('hands on a signal to the command, and ends all of it with SIGKILL', async () => {
    const child = await Child.start({
      ...{ command: ['/bin/sh', '-c', 'trap "echo got it; exit 7" TERM; echo ready; while :; do sleep 0.02; done'] },
      ...{ cwd, env: scrubbedEnvironment(), enclosure: sandbox },
      onLine: (line) => {
        if (line === 'ready') child.signal('SIGTERM');
      },
    });
    expect(await child.exitWithin(10_000, 'deadline')).toMatchObject({ code: 7, signal: null });
    const endless = await Child.start({
      ...{ command: ['/bin/sh', '-c', 'setsid sleep 322 & sleep 323'], cwd, env: scrubbedEnvironment() },
      enclosure: sandbox,
    });
    await expect.poll(() => endless.mainPid !== endless.pid, { timeout: 10_000 }).toBe(true);
    const inner = endless.mainPid;
    expect(await endless.kill('test')).toMatchObject({ killedBy: 'test' });
    await expect.poll(() => isAlive(inner), { timeout: 10_000 }).toBe(false);
    const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(stdout).not.toMatch(/^sleep 32[23]$/m);
  });

  it('sees what was tried before a command was ended at its deadline', async () => {
    const out = `perl -e 'socket S, 2, 2, 0; connect S, pack "S n C4 x8", 2, 53, 192, 0, 2, 1'`;
    const child = await Child.start({
      ...{ command: ['/bin/sh', '-c', `${out}; echo tried; sleep 300`], cwd, env: scrubbedEnvironment() },
      ...{ enclosure: sandbox, onLine: () => child.killNow('test') },
    });
    await child.exited;
    expect(kinds({ attempts: sandbox.look() })).toEqual(['network']);
  });

  it('follows no link that a command puts in the place of what is watched', async () => {
    const keys = join(scratch.path, 'keys');
    mkdirSync(keys);
    const own = ['id_rsa', 'netrc'].map((name) => join(keys, name));
    for (const file of own) writeFileSync(file, 'of the user');
    const before = own.map((file) => statSync(file, { bigint: true }));
    const replace = `cat ~/.git-credentials; mv ~/.ssh ~/.ssh2; ln -s ${keys} ~/.ssh; ln -sf ${keys}/netrc ~/.netrc`;
    let seen: Attempt[] = [];
    const child = await Child.start({
      ...{ command: ['/bin/sh', '-c', `${replace}; echo replaced; sleep 300`], cwd },
      ...{ env: { ...scrubbedEnvironment(), HOME: homedir() }, enclosure: sandbox },
      onLine: (line) => {
        if (line !== 'replaced') return;
        seen = [...sandbox.look(), ...sandbox.look()];
        child.killNow('test');
      },
    });
    await child.exited;
    for (const [index, file] of own.entries()) {
      const { atimeNs, mtimeNs } = before[index] ?? {};
      expect(statSync(file, { bigint: true })).toMatchObject({ atimeNs, mtimeNs });
    }
    const texts = [...seen, ...sandbox.look()].map(({ text }) => text);
    // Who reads is still seen, and who replaces, too: once.
    for (const [name, tried] of Object.entries({ '.git-credentials': 'read', '.ssh/id_rsa': 'removed' })) {
      expect(texts.filter((text) => text === `${join(homedir(), name)} was ${tried}`)).toHaveLength(1);
    }
    expect(texts).toContain(`${join(homedir(), '.netrc')} was removed`);
  });

  it('that does not start, or that somebody else ends, was not watched', async () => {
    const gone = join(scratch.path, 'gone');
    mkdirSync(gone);
    const broken = await Sandbox.open({ writable: [cwd], readable: [], ports: [] });
    onTestFinished(() => broken.close());
    const enclosed = broken.enclose(['true'], { cwd: gone, env: scrubbedEnvironment() });
    const [program = '', ...args] = enclosed.command;
    // It is hidden inside, so nothing can start there.
    const { status, signal } = spawnSync(program, args, { cwd: gone, env: scrubbedEnvironment() });
    expect(enclosed.conclude({ code: status, signal })).not.toMatchObject({ code: 0 });
    expect(broken.look()).toMatchObject([{ kind: 'unwatched', text: expect.stringContaining('did not start') }]);
    const child = await Child.start({
      ...{ command: ['/bin/sh', '-c', 'echo ready; sleep 300'], cwd, env: scrubbedEnvironment(), enclosure: broken },
      onLine: () => process.kill(child.pid, 'SIGKILL'),
    });
    await child.exited;
    expect(broken.look()).toMatchObject([{ kind: 'unwatched', text: expect.stringContaining('from outside') }]);
  });
});
