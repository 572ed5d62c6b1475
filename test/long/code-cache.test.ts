import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram } from '../helpers/understudy.js';

const scratch = createScratch('code-cache');
afterAll(() => scratch.remove());

const packages = join(scratch.path, 'node_modules');
const bin = join(packages, 'agent-understudy/dist/bin');
cpSync('dist/bin', bin, { recursive: true });
const cache = join(packages, '.cache/agent-understudy');
writeFiles(scratch.path, { 'a.rehearsal.toml': greeting() });
beforeEach(() => rmSync(join(packages, '.cache'), { recursive: true, force: true }));

const start = (args: readonly string[], env: Record<string, string> = {}) =>
  runProgram([process.execPath, join(bin, 'understudy.js'), ...args], { cwd: scratch.path, env });
const kept = () => (existsSync(cache) ? readdirSync(cache) : []);
const only = () => join(cache, kept()[0] ?? '');

/** Runs `check`, which shall say what it always says. */
async function check(env: Record<string, string> = {}): Promise<void> {
  const { code, stdout, stderr } = await start(['check', 'a.rehearsal.toml'], env);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '✓ a.rehearsal.toml rehearsal, 1 step\n', stderr: '' });
}

describe('what the engine made of our code', () => {
  it('is kept by the first run of a command, and used by the next ones', async () => {
    await check();
    expect(kept()).toEqual([`check-${process.version}-${process.arch}`]);
    const before = statSync(only());
    await check();
    // Whatever it had not found there, or could not use, would have been written again.
    expect(statSync(only())).toMatchObject({ mtimeMs: before.mtimeMs, ino: before.ino });
  });

  it('grows by what another run of the command needs', async () => {
    await start(['check', '--help']);
    const { size } = statSync(only());
    await check();
    expect(statSync(only()).size).toBeGreaterThan(size);
    const before = statSync(only());
    await start(['check', '--help']);
    expect(statSync(only()).ino).toBe(before.ino);
  });

  it('is used by a long command, too, with its settings of the engine', { timeout: 60_000 }, async () => {
    const run = ['run', 'a.rehearsal.toml', '--stage', 'sim'];
    expect(await start(run)).toMatchObject({ code: 0 });
    const before = statSync(only());
    expect(await start(run)).toMatchObject({ code: 0 });
    expect(statSync(only()).ino).toBe(before.ino);
  });

  it.each([
    ['damaged', (bytes: Buffer) => bytes.fill(0x5a, bytes.length - 20_000, bytes.length - 10_000)],
    ['damaged in its first half', (bytes: Buffer) => bytes.fill(0, 20_000, 24_096)],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, 10_001)],
    ['empty', () => Buffer.alloc(0)],
    ['something else', () => Buffer.from('understudy'.repeat(500))],
  ])('is made again where it is %s', { timeout: 60_000 }, async (_, damage) => {
    await check();
    const whole = readFileSync(only());
    const damaged = damage(Buffer.from(whole));
    writeFileSync(only(), damaged);
    await check();
    expect(readFileSync(only()).length).toBeGreaterThan(10_001);
    const { ino } = statSync(only());
    await check();
    expect(statSync(only()).ino).toBe(ino);
  });

  it('is kept of a stand-in by the first run that plays something', { timeout: 60_000 }, async () => {
    writeFiles(scratch.path, { 'hi.json': '{ "responses": [{ "pattern": { "type": "any" }, "response": "Hi." }] }' });
    const claude = (...args: string[]) =>
      runProgram([process.execPath, join(bin, 'understudy-claude.cjs'), ...args], {
        cwd: scratch.path,
        env: { HOME: join(scratch.path, 'home'), UNDERSTUDY_SCENARIO: join(scratch.path, 'hi.json') },
      });
    for (const little of [['--version'], ['--help'], ['-p', 'hello', '--nosuch']]) await claude(...little);
    expect(kept()).toEqual([]);
    expect(await claude('-p', 'hello')).toMatchObject({ code: 0, stdout: 'Hi.\n' });
    expect(kept()).toEqual([`understudy-claude-${process.version}-${process.arch}`]);
    const { ino } = statSync(only());
    expect(await claude('-p', 'hello')).toMatchObject({ code: 0, stdout: 'Hi.\n' });
    expect(statSync(only()).ino).toBe(ino);
  });

  it('is not needed: not where nothing can be written, nor where it is not wanted', async () => {
    writeFileSync(join(packages, '.cache'), 'a file');
    await check();
    rmSync(join(packages, '.cache'));
    await check({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(kept()).toEqual([]);
  });

  it('is not kept of what is no command', async () => {
    for (const word of ['chekc', '../../x', 'a'.repeat(50), '--json']) await start([word]);
    expect(kept()).toEqual([]);
  });

  it('is of code that imports nothing while it runs, because code from there cannot', () => {
    const importing = readdirSync(bin)
      .filter((name) => /\.js$|^understudy-.*-.{8}\.cjs$/.test(name))
      .flatMap((name) => {
        const code = readFileSync(join(bin, name), 'utf8').replaceAll(/\/\*.*?\*\//gs, '');
        return [...code.matchAll(/\bimport\(([^)]*)\)/g)].map(([, what]) => what);
      });
    // A library asks for it where Node has no `crypto`, which every Node of ours has.
    expect([...new Set(importing)]).toEqual(['"node:crypto"']);
  });

  it('does not stay for ever', async () => {
    mkdirSync(cache, { recursive: true });
    for (const name of ['check-v18.0.0-x64', 'run-v18.0.0-x64.77.tmp']) {
      writeFileSync(join(cache, name), '');
      const long = new Date(Date.now() - 40 * 86_400_000);
      utimesSync(join(cache, name), long, long);
    }
    await check();
    expect(kept()).toEqual([`check-${process.version}-${process.arch}`]);
  });
});
