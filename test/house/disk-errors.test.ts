import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runProgram, runUnderstudy, UNDERSTUDY } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('disk-errors');
  writeFiles(scratch.path, { 'a.rehearsal.toml': greeting() });
});
afterEach(() => scratch.remove());

const shell = (script: string) => runProgram(['/bin/sh', '-c', script], { cwd: scratch.path });
const RUN = `exec '${process.execPath}' '${UNDERSTUDY}' run --stage sim`;

it('keeps the result of a run that passed where nothing can be written', async () => {
  writeFileSync(join(scratch.path, '.understudy'), 'a file in the place of the folder');
  const { code, stdout, stderr } = await runUnderstudy(['run', '--stage', 'sim'], { cwd: scratch.path });
  expect(stdout).toContain('1 passed');
  expect(stderr).toMatch(/^warning NOT_A_FOLDER: .*\.understudy \(EEXIST, mkdir\)\n {2}fix: Rename/);
  expect(code).toBe(0);
});

it('keeps the snapshot that was there, whichever write the disk is full at', { timeout: 300_000 }, async () => {
  const steps = '[[steps]]\nsend = "hello"\nexpect = { snapshot = true }\n';
  const rehearsal = (answer: string) =>
    `agent = ["claude"]\nstage = "sim"\n[[responses]]\npattern = { type = "any" }\nresponse = "${answer}"\n${steps}`;
  const file = join(scratch.path, 'a.rehearsal.toml');
  const snapshot = join(scratch.path, '__snapshots__/a.claude.step-1.txt');
  const run = (env: Record<string, string>) =>
    runUnderstudy(['run', '-u', '--workers', '1'], {
      cwd: scratch.path,
      env: { NODE_OPTIONS: `--require ${resolve('test/helpers/full-disk.cjs')}`, ...env },
    });
  writeFileSync(file, rehearsal('first'));
  await run({});
  const before = readFileSync(snapshot, 'utf8');
  expect(before).toContain('first');
  chmodSync(snapshot, 0o664);
  writeFileSync(file, rehearsal('second'));
  const count = join(scratch.path, 'count');
  await run({ FULL_COUNT: count });
  // Between a disk that is full from the start and one that is never full is the write of the snapshot itself.
  let [old, fresh] = [0, 1 + Math.max(...readFileSync(count, 'utf8').trim().split('\n').map(Number))];
  while (fresh - old > 1) {
    const at = Math.floor((old + fresh) / 2);
    writeFileSync(snapshot, before);
    const { code } = await run({ FULL_FROM: String(at) });
    const after = readFileSync(snapshot, 'utf8');
    expect(after, `full from write ${at}, exit code ${code}`).toMatch(/first|second/);
    if (after === before) old = at;
    else fresh = at;
  }
  expect(old).toBeGreaterThan(1);
  expect(readdirSync(join(scratch.path, '__snapshots__'))).toHaveLength(1);
  expect(statSync(snapshot).mode & 0o777).toBe(0o664);
});

it.skipIf(!existsSync('/dev/full'))('says that the disk is full, on stdout too', async () => {
  const { code, stderr } = await shell(`${RUN} > /dev/full`);
  expect(stderr).toMatch(/^error DISK_FULL: .*the standard output/m);
  expect(code).toBe(2);
});

it('says that too many files are open', async () => {
  const { code, stdout, stderr } = await shell(`ulimit -n 26; ${RUN}`);
  expect(stdout + stderr).toMatch(/TOO_MANY_OPEN_FILES.*\n {2}fix: Raise the limit/);
  expect(code).toBe(2);
});

it('names the temp folder that is none', async () => {
  const { code, stdout } = await shell(`TMPDIR="$PWD/a.rehearsal.toml" ${RUN}`);
  expect(stdout).toMatch(/NOT_A_FOLDER: .*\n {2}fix: Rename/);
  expect(code).toBe(2);
});

it('prints the report of the suite that cannot be written', async () => {
  mkdirSync(join(scratch.path, '.e2e-tests/report.md/x'), { recursive: true });
  const args = [
    'e2e',
    '--stage',
    'sim',
    'kiro',
    '--loop',
    '--grep',
    'connect@kiro',
    '--skip-baselines',
    '--skip-analysis',
  ];
  const { code, stdout, stderr } = await runUnderstudy(args, { cwd: scratch.path });
  expect(stdout).toMatch(/PASSED: all cases passed\n\n# Understudy report\n/);
  expect(stderr).toContain('report.md');
  expect(code).toBe(0);
});

const REHEARSAL = ['run', '--stage', 'sim'];

// Whoever makes folders there as Node does it never comes back, and no signal but this one ends it.
it.runIf(process.platform === 'linux').for([
  ['result', [...REHEARSAL, '--output', '/proc/none']],
  ['report', [...REHEARSAL, '--reporter', 'junit=/proc/none/a.xml']],
  ['journal', ['serve', '--scenario', 'scenario.toml', '--log', '/proc/none/a.jsonl']],
  ['shims', ['shim', '--stage', 'sim', '/proc/none', '--scenario', 'scenario.toml']],
] as const)('says that no folder can be made in the place of the %s', async ([, args]) => {
  writeFiles(scratch.path, { 'scenario.toml': 'default_response = "Hello."\n' });
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((settle) => {
    const options = { cwd: scratch.path, timeout: 20_000, killSignal: 'SIGKILL' as const };
    execFile(process.execPath, [UNDERSTUDY, ...args], options, (error, _stdout, stderr) =>
      settle({ code: error?.signal ?? error?.code, stderr }),
    );
  });
  expect(stderr).toMatch(/NO_FOLDER_HERE: .*\/proc\/none.* \(ENOENT, mkdir\)\n {2}fix: Use another place than /);
  expect(code).toBe(2);
});
