import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createScratch, isAlive, type Scratch } from '@understudy/kit';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { untilHolds } from '../../../../test/helpers/until-holds.js';
import { sandboxProblem } from '../isolation/probe-sandbox.js';
import { createProject } from './create-project.js';
import { startDevServer, startProjectServer } from './dev-server.js';

vi.setConfig({ testTimeout: 30_000 });

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('server');
});
afterEach(() => scratch.remove());

const script = (code: string) => [process.execPath, '-e', code];

it('serves a web project until it is stopped', async () => {
  const server = await startProjectServer(
    createProject(join(scratch.path, 'p'), { type: 'web-app', language: 'javascript' }),
  );
  expect(await (await fetch(server.url)).text()).toContain('<h1>');
  expect(server.log.join()).toContain(`listening on ${server.url}`);
  await server.stop();
  await server.stop();
  expect(isAlive(server.pid)).toBe(false);
  await expect(fetch(server.url)).rejects.toThrow();
});

/** A process that nobody has buried yet is dead all the same. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

it('ends what the server started, too', async () => {
  const code = `const c = require('child_process').spawn(process.execPath, ['-e', 'setInterval(()=>{},1e3)'], { detached: true, stdio: 'ignore' });
    console.log('helper ' + c.pid); require('http').createServer((q, r) => r.end()).listen(process.env.PORT, '127.0.0.1')`;
  // In a sandbox, it would see other process ids.
  const server = await startDevServer({ command: script(code), folder: scratch.path, isolation: 'none' });
  const helper = Number(server.log.join().replace('helper ', ''));
  expect(isRunning(helper)).toBe(true);
  await server.stop();
  expect(isRunning(helper)).toBe(false);
});

it('kills a server that does not listen to reason', async () => {
  const code = `process.on('SIGTERM', () => {}); require('http').createServer((q, r) => r.end()).listen(process.env.PORT, '127.0.0.1')`;
  const server = await startDevServer({ command: script(code), folder: scratch.path });
  await server.stop();
  expect(isAlive(server.pid)).toBe(false);
});

it('says what a server wrote that ended before it answered', async () => {
  const command = script(`console.error('no database'); process.exit(3)`);
  await expect(startDevServer({ command, folder: scratch.path })).rejects.toThrow(
    expect.objectContaining({ code: 'WORKSPACE_SERVER_ENDED', message: expect.stringContaining('no database') }),
  );
});

it('gives up on a server that never answers', async () => {
  const command = script('setInterval(() => {}, 1000)');
  await expect(startDevServer({ command, folder: scratch.path, deadlineMs: 300 })).rejects.toThrow(
    expect.objectContaining({ code: 'WORKSPACE_SERVER_SILENT' }),
  );
});

it('does not take a page of server errors for an answer', async () => {
  const command = script(
    `require('http').createServer((q, r) => r.writeHead(503).end()).listen(process.env.PORT, '127.0.0.1')`,
  );
  await expect(startDevServer({ command, folder: scratch.path, deadlineMs: 500 })).rejects.toThrow(
    expect.objectContaining({ code: 'WORKSPACE_SERVER_SILENT' }),
  );
});

it('does not take somebody else on the wanted port for its own', async () => {
  const other = createServer((_, response) => response.end('other'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await expect(startDevServer({ command: script('1'), folder: scratch.path, port })).rejects.toThrow(
    expect.objectContaining({ code: 'CANNOT_LISTEN' }),
  );
  other.close();
});

const LATE = `setTimeout(() => require('net').createServer((s) => s.end('hi')).listen(process.env.PORT, '127.0.0.1'), 300)`;

/** What a server that speaks first says to a visitor. */
const heard = (port: number) =>
  new Promise<string>((resolve, reject) => {
    connect({ port, host: '127.0.0.1' })
      .once('data', (bytes) => resolve(String(bytes)))
      .once('error', reject)
      .once('close', () => resolve(''));
  });

it('waits until its port takes connections, or a line says that it is ready', async () => {
  const options = { command: script(LATE), folder: scratch.path, isolation: 'none', ready: 'port' } as const;
  const server = await startDevServer(options);
  expect(await heard(server.port)).toBe('hi');
  await server.stop();
  const line = (text: string) => text === 'open on 7';
  const command = ['/bin/sh', '-c', 'echo opening; echo open on $SEVEN; echo {{port}}; sleep 60'];
  const said = await startDevServer({ ...options, command, environment: { SEVEN: '7' }, ready: { line } });
  await untilHolds(() => said.log.length === 3, 'it has said all');
  expect(said.log).toEqual(['opening', 'open on 7', String(said.port)]);
  await said.stop();
});

it('knows that a library has nothing to serve', async () => {
  const project = createProject(join(scratch.path, 'p'), { type: 'library', language: 'go' });
  await expect(startProjectServer(project)).rejects.toThrow(expect.objectContaining({ code: 'WORKSPACE_NO_SERVER' }));
});

/** `node scripts/with-docker.mjs npx vitest run` starts an engine with this image. */
const IMAGE = process.env['UNDERSTUDY_TEST_IMAGE'] ?? '';
const ECHO = `require('http').createServer((q, r) => q.pipe(r)).listen(process.env.PORT, '127.0.0.1')`;

it.skipIf(IMAGE === '')('answers from a container, too', async () => {
  const server = await startDevServer({ command: script(ECHO), folder: scratch.path, isolation: `docker=${IMAGE}` });
  expect(await (await fetch(server.url, { method: 'POST', body: 'hello' })).text()).toBe('hello');
  await server.stop();
  await expect(fetch(server.url)).rejects.toThrow();
});

describe.skipIf((await sandboxProblem()) !== undefined)('in a sandbox', () => {
  const start = (command: readonly string[]) =>
    startDevServer({ command, folder: scratch.path, isolation: 'sandbox', deadlineMs: 20_000 });

  it('answers many at once, with all that they sent, until it is stopped', async () => {
    const server = await start(script(ECHO));
    const body = 'x'.repeat(2_000_000);
    const post = () => fetch(server.url, { method: 'POST', body }).then((response) => response.text());
    const answers = await Promise.all(Array.from({ length: 20 }, post));
    expect(answers.map(({ length }) => length)).toEqual(answers.map(() => body.length));
    await server.stop();
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
    await expect(fetch(server.url)).rejects.toThrow();
    expect(server.attempts()).toEqual([]);
  });

  it('waits until its port takes connections, of a server that speaks first, too', async () => {
    const isolation = 'sandbox';
    const server = await startDevServer({ command: script(LATE), folder: scratch.path, isolation, ready: 'port' });
    expect(await heard(server.port)).toBe('hi');
    await server.stop();
    const never = {
      command: ['sleep', '60'],
      folder: scratch.path,
      isolation,
      ready: 'port',
      deadlineMs: 500,
    } as const;
    await expect(startDevServer(never)).rejects.toThrow(expect.objectContaining({ code: 'WORKSPACE_SERVER_SILENT' }));
  });

  it('sees its folder and nothing of ours, and tells what it tried', async () => {
    const elsewhere = createScratch('elsewhere');
    onTestFinished(() => elsewhere.remove());
    const code = `try { require('fs').writeFileSync(${JSON.stringify(join(elsewhere.path, 'x'))}, '') } catch (e) { console.log(e.code) }
      require('fs').writeFileSync('own', ''); require('dgram').createSocket('udp4').send('x', 53, '192.0.2.1', (e) => console.log(e.code)); ${ECHO}`;
    const server = await start(script(code));
    await untilHolds(() => server.log.length === 2, 'it has tried both');
    await server.stop();
    expect(server.log).toEqual(['ENOENT', 'ENETUNREACH']);
    expect(readdirSync(scratch.path)).toEqual(['own']);
    expect(server.attempts()).toEqual([expect.objectContaining({ kind: 'network' })]);
  });

  it('turns visitors away when it is gone, and says so when it never was there', async () => {
    const server = await start(script(`${ECHO}; setTimeout(() => process.exit(), 500)`));
    await untilHolds(() => !isAlive(server.pid), 'it has ended');
    await expect(fetch(server.url)).rejects.toThrow();
    await server.stop();
    const missing = start(['no-such-program']);
    await expect(missing).rejects.toThrow(expect.objectContaining({ code: 'PROCESS_NOT_STARTED' }));
    const broken = start(script(`console.error('no database'); process.exit(3)`));
    await expect(broken).rejects.toThrow(
      expect.objectContaining({ code: 'WORKSPACE_SERVER_ENDED', message: expect.stringContaining('no database') }),
    );
  });
});
