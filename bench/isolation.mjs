// What a sandbox adds to the start of a command, from the start of the process to its end: a plain start as ours are
// (a shell that sets the mark, then the command), and the same in a sandbox, without and with a port of the host. They
// take turns, so that whatever else the machine does hits all. Memory is that of the processes around the command.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

export const title = 'Isolation: what a sandbox adds to a start';

const ROUNDS = Number(process.env.UNDERSTUDY_BENCH_ROUNDS ?? 101);
const source = (file) => fileURLToPath(new URL(`../packages/${file}`, import.meta.url));

export async function bench() {
  const root = mkdtempSync(join(tmpdir(), 'bench-isolation-'));
  const server = createServer((_, response) => response.end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { Sandbox, sandboxProblem, withLimitMark } = await load(root);
    const problem = await sandboxProblem();
    if (problem !== undefined) return { columns: ['isolation'], rows: [[problem]], ratios: [] };
    const cwd = join(root, 'project');
    mkdirSync(cwd);
    const open = (ports) => Sandbox.open({ writable: [cwd], readable: [], ports });
    const [closed, offering] = [await open([]), await open([server.address().port])];
    const env = { PATH: process.env.PATH };
    const plain = () => ({ command: withLimitMark(['/bin/true'], '0123456789abcdef'), conclude() {} });
    const inside = (sandbox) => () => sandbox.enclose(['/bin/true'], { cwd, env });
    const ways = { plain, sandbox: inside(closed), 'sandbox with a port': inside(offering) };
    const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, start] of Object.entries(ways)) {
        const took = time(start, cwd, env);
        // The first one warms the disk.
        if (round > 0) times[name].push(took);
      }
    }
    const kilobytes = await memory(offering, cwd, env);
    await Promise.all([closed.close(), offering.close()]);
    const medians = Object.entries(times).map(([name, all]) => [name, median(all), Math.min(...all)]);
    const [[, base]] = medians;
    return {
      columns: ['start of /bin/true', 'median ms', 'fastest ms', 'more than plain, ms'],
      rows: medians.map(([name, middle, fastest]) => [name, middle, fastest, middle - base]),
      ratios: [
        // The fastest of many: a start is short, and what else the machine does is longer.
        { name: 'a sandbox, ms', value: medians[1][2] - medians[0][2], target: 15, better: 'lower' },
        { name: 'a sandbox with a port, ms', value: medians[2][2] - medians[0][2], target: 15, better: 'lower' },
        { name: 'memory around the command, MB', value: kilobytes / 1024, target: 15, better: 'lower' },
      ],
    };
  } finally {
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** The sandbox is no public entry of the package, so it is bundled from its source. */
async function load(root) {
  const input = join(root, 'entry.ts');
  const names = {
    Sandbox: 'stage/src/isolation/sandbox.ts',
    sandboxProblem: 'stage/src/isolation/probe-sandbox.ts',
    withLimitMark: 'kit/src/process/limit-mark.ts',
  };
  const exports = Object.entries(names).map(
    ([name, file]) => `export { ${name} } from ${JSON.stringify(source(file))};`,
  );
  writeFileSync(input, exports.join('\n'));
  const file = join(root, 'entry.mjs');
  await build({ input, platform: 'node', output: { file, format: 'esm', codeSplitting: false }, logLevel: 'silent' });
  return import(pathToFileURL(file).href);
}

function time(start, cwd, env) {
  const began = performance.now();
  const { command, conclude } = start();
  const [program, ...args] = command;
  const { status, signal } = spawnSync(program, args, { cwd, env, stdio: 'ignore' });
  conclude({ code: status, signal });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return performance.now() - began;
}

/** What bubblewrap, the first process and the forwarder have for themselves. */
async function memory(sandbox, cwd, env) {
  const { command, conclude } = sandbox.enclose(['/bin/sh', '-c', 'echo up; read line'], { cwd, env });
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const around = [child.pid, ...childrenOf(child.pid), ...childrenOf(child.pid).flatMap(childrenOf)];
  const sum = around.map(privateMemory).reduce((total, one) => total + one, 0);
  child.stdin.end();
  const [code, signal] = await new Promise((resolve) => child.once('exit', (...how) => resolve(how)));
  conclude({ code, signal });
  return sum;
}

function childrenOf(pid) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}

function privateMemory(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
