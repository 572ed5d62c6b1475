import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ownRegister } from './register.js';
import { createScratch, createTempFolder, type Scratch, sweepScratch, TEMP_FOLDER } from './scratch.js';

let root: Scratch;
beforeEach(() => {
  root = createScratch('scratch-test');
});
afterEach(() => root.remove());

/** The name of a folder as another process would have made it. */
function nameFor(pid: number | undefined, { start = '', machine }: { start?: string; machine?: string } = {}): string {
  const [, , mark = ''] = basename(root.path).split('-');
  const [ownMachine = '', ownStart = ''] = mark.split('.');
  return `understudy-${pid}-${machine ?? ownMachine}.${start === '' ? ownStart : start}-old-abc`;
}

async function goneProcess(): Promise<number | undefined> {
  const gone = spawn('/bin/true');
  await new Promise((resolve) => gone.once('exit', resolve));
  return gone.pid;
}

it('removes the folders of processes that are gone, and only those', async () => {
  const pid = await goneProcess();
  const own = createScratch('own', root.path);
  const left = nameFor(pid);
  const kept = [nameFor(pid, { machine: 'abcdef' }), 'somebody-else', `understudy-${pid}-without-a-mark`];
  for (const name of [left, ...kept]) mkdirSync(join(root.path, name));
  writeFileSync(join(root.path, left, 'a.txt'), 'a');
  expect((await sweepScratch([root.path])).folders).toEqual([join(root.path, left)]);
  expect(readdirSync(root.path).sort()).toEqual([...kept, basename(own.path)].sort());
});

it('keeps the folder of a living process of somebody else', async () => {
  const living = spawn('/bin/sleep', ['30']);
  const [, , mark = ''] = basename(root.path).split('-');
  mkdirSync(join(root.path, `understudy-${living.pid}-${mark.split('.')[0]}.-run-abc`));
  const swept = await sweepScratch([root.path]);
  living.kill('SIGKILL');
  expect(swept).toEqual({ processes: [], containers: [], folders: [] });
});

it.runIf(process.platform === 'linux')('removes the folder of a process whose id another one has now', async () => {
  const left = nameFor(process.pid, { start: '1' });
  mkdirSync(join(root.path, left));
  expect((await sweepScratch([root.path])).folders).toEqual([join(root.path, left)]);
});

it('makes a temp folder whose path has room for a socket, also where the system’s own path is long', async () => {
  const long = join(root.path, 'x'.repeat(80));
  mkdirSync(long);
  const temp = createTempFolder(long);
  await temp.remove();
  expect(Buffer.byteLength(join(temp.path, 'cc-socks', '4194304.sock'))).toBeLessThanOrEqual(103);
  expect(`TMPDIR=${temp.path}/a`.replace(TEMP_FOLDER, '<tmp>')).toBe('TMPDIR=<tmp>/a');
});

it.runIf(process.platform === 'linux')('ends the processes in the register of a process that is gone', async () => {
  const owner = randomBytes(8).toString('hex');
  const env = { PATH: process.env['PATH'] ?? '', UNDERSTUDY_OWNER: owner };
  const [marked, other] = [env, { PATH: env.PATH }].map((own) => spawn('/bin/sleep', ['30'], { env: own }));
  const exited = new Promise((resolve) => marked?.once('exit', resolve));
  const name = nameFor(await goneProcess());
  const [mine, foreign] = [join(root.path, 'elsewhere', name), join(root.path, 'elsewhere', 'foreign')];
  for (const folder of [mine, foreign]) mkdirSync(folder, { recursive: true });
  const register = join(root.path, name.replace(/-old-abc$/, '-register'));
  writeFileSync(register, `+owner ${owner}\n+folder ${mine}\n+folder ${foreign}\n+group 1\n`);
  const { processes, folders } = await sweepScratch([root.path]);
  await exited;
  other?.kill('SIGKILL');
  expect(processes).toEqual([`/bin/sleep 30 (${marked?.pid})`]);
  expect(folders).toEqual([mine]);
  expect([mine, foreign, register].map((path) => existsSync(path))).toEqual([false, true, false]);
});

it('registers a folder before it makes it', async () => {
  const made = createScratch('registered', root.path);
  const lines = () => readFileSync(ownRegister() ?? '', 'utf8').split('\n');
  expect(lines()).toContain(`+folder ${made.path}`);
  await made.remove();
  expect(lines()).toContain(`-folder ${made.path}`);
});
