import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../src/process/scratch.js';
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
  const args = ['e2e', 'kiro', '--loop', '--filter', 'connect@kiro', '--skip-baselines', '--skip-analysis'];
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
  ['journal', ['serve', '--scenario', 'scenario.toml', '--journal', '/proc/none/a.jsonl']],
  ['shims', ['shim', '/proc/none', '--scenario', 'scenario.toml']],
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
