import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Child, type Exit } from './child.js';
import { DescendantWatch } from './descendant-watch.js';
import { scrubbedEnvironment } from './environment.js';
import { isAlive } from './process-table.js';
import { runToEnd } from './run-to-end.js';
import { createScratch, type Scratch } from './scratch.js';

const scratches: Scratch[] = [];

function scratch(): string {
  const made = createScratch('test');
  scratches.push(made);
  return made.path;
}

afterEach(async () => {
  for (const made of scratches.splice(0)) await made.remove();
});

function shell(script: string, cwd = scratch()) {
  return { command: ['/bin/sh', '-c', script], cwd, env: scrubbedEnvironment() };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(50);
}

it('keeps output, exit code and time', async () => {
  const outcome = await runToEnd({ ...shell('echo out; echo err >&2; exit 3'), deadlineMs: 5000 });
  expect(outcome).toMatchObject({ code: 3, stdout: 'out', stderr: 'err', timedOut: false });
});

it('hands over stdin and closes it', async () => {
  const outcome = await runToEnd({ ...shell('cat'), input: 'hello\n', deadlineMs: 5000 });
  expect(outcome.stdout).toBe('hello');
});

it('has output that programs can open by its path', async () => {
  const script = 'echo one > /dev/stdout; echo two | tee /dev/stderr; echo three >> /dev/fd/2';
  const outcome = await runToEnd({ ...shell(script), deadlineMs: 5000 });
  expect(outcome).toMatchObject({ code: 0, stdout: 'one\ntwo', stderr: 'two\nthree' });
});

it('has them in many children at once, each its own', async () => {
  const runs = Array.from({ length: 30 }, (_, index) =>
    runToEnd({
      ...shell(`read line; yes $line | head -n 30000 | tee /dev/stderr`),
      input: `${index}\n`,
      deadlineMs: 60_000,
    }),
  );
  for (const [index, { stdout, stderr }] of (await Promise.all(runs)).entries()) {
    const all = Array(30_000).fill(String(index)).join('\n');
    expect(stdout === all && stderr === all).toBe(true);
  }
}, 60_000);

it('gives an empty stdin to a program that waits for its end', async () => {
  const outcome = await runToEnd({ ...shell('cat; echo done'), deadlineMs: 5000 });
  expect(outcome).toMatchObject({ stdout: 'done', timedOut: false });
});

it('kills the whole group at the deadline and keeps what was written', async () => {
  const folder = scratch();
  const outcome = await runToEnd({
    ...shell('echo before; sleep 300 & echo $! > pid; wait', folder),
    deadlineMs: 400,
  });
  expect(outcome).toMatchObject({ timedOut: true, stdout: 'before' });
  expect(isAlive(Number(readFileSync(join(folder, 'pid'), 'utf8')))).toBe(false);
});

it.runIf(process.platform === 'linux')('ends a process that left its group and its parent', async () => {
  const folder = scratch();
  const outcome = await runToEnd({
    ...shell('setsid sh -c "echo \\$\\$ > pid; exec sleep 300" & while [ ! -s pid ]; do sleep 0.05; done', folder),
    deadlineMs: 5000,
  });
  expect(outcome.code).toBe(0);
  // Killed it is; a busy machine may need a moment to bury it.
  await expect.poll(() => isAlive(Number(readFileSync(join(folder, 'pid'), 'utf8'))), { timeout: 10_000 }).toBe(false);
});

it('tells a program that is not there', async () => {
  const start = Child.start({ command: ['/no/such/program'], cwd: '/', env: {} });
  await expect(start).rejects.toMatchObject({ code: 'PROCESS_NOT_STARTED' });
});

it('gives a child no variable of ours beyond the harmless ones, in a fixed language and time zone', () => {
  const environment = scrubbedEnvironment(
    { HOME: '/h' },
    {
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'secret',
      NODE_OPTIONS: '--x',
      LC_ALL: 'de_DE',
      LC_CTYPE: 'x',
      TZ: 'Asia/Tokyo',
    },
  );
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  expect(environment).toEqual({ PATH: '/bin', HOME: '/h', LANG: locale, LC_ALL: locale, TZ: 'UTC' });
});

it('leaves neither process nor folder behind when our process is killed with SIGKILL', async () => {
  const folder = scratch();
  const script = `
    import { Child } from ${JSON.stringify(new URL('./child.ts', import.meta.url).pathname)};
    import { releaseFromReaper } from ${JSON.stringify(new URL('./reaper.ts', import.meta.url).pathname)};
    import { createScratch } from ${JSON.stringify(new URL('./scratch.ts', import.meta.url).pathname)};
    import { writeFileSync } from 'node:fs';
    const made = createScratch('victim', ${JSON.stringify(folder)});
    // What the reaper does not know costs it nothing.
    for (const kind of ['folder', 'group', 'owner', 'container']) {
      for (let times = 0; times < 14; times++) releaseFromReaper(kind, 'no-such-thing');
    }
    const child = await Child.start({ command: ['/bin/sh', '-c', 'setsid sleep 301 & env -i setsid sh -c "echo \\$\\$ > ../escaped; exec sleep 303" & sleep 302'], cwd: made.path, env: { PATH: process.env.PATH } });
    writeFileSync(${JSON.stringify(join(folder, 'ready'))}, JSON.stringify({ pid: child.pid, folder: made.path }));
    setInterval(() => {}, 1000);
  `;
  const bundle = await bundleForNode(script, folder);
  const victim = spawn(process.execPath, [bundle], { stdio: 'inherit' });
  // Whole: a file is there before it is written.
  await until(() => existsSync(join(folder, 'ready')) && readFileSync(join(folder, 'ready'), 'utf8').endsWith('}'));
  const ready = JSON.parse(readFileSync(join(folder, 'ready'), 'utf8')) as { pid: number; folder: string };
  expect(isAlive(ready.pid)).toBe(true);
  await until(() => existsSync(join(folder, 'escaped')) && readFileSync(join(folder, 'escaped'), 'utf8') !== '');
  const escaped = Number(readFileSync(join(folder, 'escaped'), 'utf8'));
  victim.kill('SIGKILL');
  await until(() => !isAlive(ready.pid) && !existsSync(ready.folder) && !isAlive(escaped));
  if (process.platform === 'linux') expect(isAlive(escaped)).toBe(false);
  expect(isAlive(ready.pid)).toBe(false);
  expect(existsSync(ready.folder)).toBe(false);
}, 20_000);

const LAST_PID = '/proc/sys/kernel/ns_last_pid';

it('finds a child that got the id of an older process', async ({ skip }) => {
  if (!mayWrite(LAST_PID)) skip('nobody here may choose the id of the next process');
  const folder = scratch();
  const older = spawn('/bin/sleep', ['300']);
  const ended = new Promise((resolve) => older.once('exit', resolve));
  const script = `
    import { Child } from ${JSON.stringify(new URL('./child.ts', import.meta.url).pathname)};
    import { livingProcessesOf } from ${JSON.stringify(new URL('./process-table.ts', import.meta.url).pathname)};
    import { writeFileSync } from 'node:fs';
    const start = () => Child.start({ command: ['/bin/sleep', '300'], cwd: '/', env: {} });
    const first = await start();
    livingProcessesOf({ pid: first.pid, owner: '0123456789abcdef' });
    process.send('looked');
    await new Promise((resolve) => process.once('message', resolve));
    // Others start processes, too: it may take more than one try.
    for (let tries = 0; tries < 200; tries++) {
      writeFileSync(${JSON.stringify(LAST_PID)}, '${(older.pid ?? 0) - 1}');
      const child = await start();
      const found = livingProcessesOf({ pid: child.pid, owner: '0123456789abcdef' });
      process.kill(child.pid, 'SIGKILL');
      if (child.pid === ${older.pid}) {
        process.send({ found });
        break;
      }
    }
    await first.kill('it was seen');
    process.disconnect();
  `;
  const bundle = await bundleForNode(script, folder);
  const looker = spawn(process.execPath, [bundle], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const told = () => new Promise((resolve) => looker.once('message', resolve));
  expect(await told()).toBe('looked');
  older.kill();
  await ended;
  looker.send('it has ended');
  expect(await told()).toEqual({ found: [older.pid] });
}, 20_000);

function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
}

/** TypeScript does not run in a bare Node 20, so the victim is bundled. */
async function bundleForNode(source: string, folder: string): Promise<string> {
  const { writeFileSync } = await import('node:fs');
  const { build } = await import('rolldown');
  const input = join(folder, 'victim.ts');
  writeFileSync(input, source);
  const file = join(folder, 'victim.mjs');
  await build({ input, platform: 'node', output: { file, format: 'esm' }, logLevel: 'silent' });
  return file;
}

it('a reader of its output that throws ends the child, and nothing else', async () => {
  const exits: Exit[] = [];
  const child = await Child.start({
    ...shell('echo one; sleep 300'),
    onLine: (line) => {
      throw new Error(`cannot read ${line}`);
    },
    onExit: (exit) => exits.push(exit),
  });
  expect(await child.exited).toMatchObject({ killedBy: 'its output could not be read: cannot read one' });
  expect(exits).toEqual([await child.exited]);
  expect(isAlive(child.pid)).toBe(false);
});

/** How a process can get away from whoever started it: without its environment, session, parent, folder and output. */
const ESCAPES = {
  'without its environment, in its own session': 'env -i setsid sleep 311 &',
  'after a double fork': '(env -i setsid sh -c "sleep 312 &" &)',
  'without folder and output': '(cd / && env -i setsid sh -c "exec 0</dev/null 1>/dev/null 2>&1; sleep 313 &") &',
  'with a port': `env -i setsid ${process.execPath} -e "require('net').createServer().listen(0, () => require('fs').writeFileSync('up', ''))" </dev/null >/dev/null 2>&1 &
    while [ ! -e up ]; do sleep 0.05; done`,
};

it.runIf(process.platform === 'linux').each(Object.entries(ESCAPES))(
  'finds and ends what got away %s',
  async (_how, flight) => {
    const outcome = await runToEnd({ ...shell(`${flight}\nsleep 0.1`), deadlineMs: 20_000, noteLeftovers: true });
    expect(outcome.leftovers).toHaveLength(1);
    const [left = ''] = outcome.leftovers ?? [];
    expect(left).toMatch(flight.includes('listen') ? /listens on port \d+\)$/ : /^sleep 31\d \(\d+\)$/);
    const pid = Number(/\((\d+)/.exec(left)?.[1]);
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  },
);

it.runIf(process.platform === 'linux')('a child of a child is known by both marks', async () => {
  const inner = {
    ...shell('env -i setsid sleep 315 & until grep -q sleep /proc/$!/comm; do sleep 0.02; done'),
    deadlineMs: 20_000,
    noteLeftovers: true,
  };
  const script = `
    import { runToEnd } from ${JSON.stringify(new URL('./run-to-end.ts', import.meta.url).pathname)};
    console.log(JSON.stringify((await runToEnd(${JSON.stringify(inner)})).leftovers));
    const { spawn } = await import('node:child_process');
    const { readFileSync } = await import('node:fs');
    const { pid } = spawn('/bin/sh', ['-c', 'exec env -i setsid sleep 316'], { stdio: 'ignore' });
    while (readFileSync('/proc/' + pid + '/comm', 'utf8') !== 'sleep\\n') await new Promise(setImmediate);
    process.exit();
  `;
  const folder = scratch();
  const bundle = await bundleForNode(script, folder);
  const outer = await runToEnd({
    ...{ command: [process.execPath, bundle], cwd: folder, env: scrubbedEnvironment() },
    ...{ deadlineMs: 20_000, noteLeftovers: true },
  });
  expect(outer.stdout).toMatch(/^\["sleep 315 \(\d+\)"\]$/);
  expect(outer.leftovers).toEqual([expect.stringMatching(/^sleep 316 /)]);
});

it('where no mark can be read, remembers what was seen beside its parent', async () => {
  const folder = scratch();
  const child = spawn('/bin/sh', ['-c', 'setsid sleep 317 & echo $! > pid; read line'], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await until(() => existsSync(join(folder, 'pid')) && readFileSync(join(folder, 'pid'), 'utf8') !== '');
  const watch = new DescendantWatch({ pid: child.pid ?? 0, owner: 'none' }, false);
  watch.look();
  child.stdin.end();
  await new Promise((resolve) => child.once('exit', resolve));
  const [survivor = 0] = watch.survivors();
  expect(isAlive(survivor)).toBe(true);
  process.kill(survivor, 'SIGKILL');
  await expect.poll(() => watch.survivors(), { timeout: 10_000 }).toEqual([]);
});
