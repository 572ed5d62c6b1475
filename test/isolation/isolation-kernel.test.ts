import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { sandboxProblem } from '../../packages/stage/src/isolation/probe-sandbox.js';
import { harmful, OPEN_ALL } from '../helpers/kernel-files.js';
import { runProgram, UNDERSTUDY } from '../helpers/understudy.js';

const problem = await sandboxProblem();
const isRoot = process.geteuid?.() === 0;
const NOBODY = 65534;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** A program in a sandbox, as a user starts it. */
async function inSandbox(command: readonly string[], as: readonly string[] = []) {
  const scratch = createScratch('kernel');
  onTestFinished(() => scratch.remove());
  const project = join(scratch.path, 'project');
  mkdirSync(project);
  const scenario = join(scratch.path, 'scenario.toml');
  writeFileSync(scenario, 'responses = []\n');
  if (as.length > 0) for (const path of [scratch.path, project]) chownSync(path, NOBODY, NOBODY);
  const flags = ['--scenario', scenario, '--agent', 'claude', '--isolation', 'sandbox'];
  return runProgram([...as, process.execPath, UNDERSTUDY, 'exec', '--stage', 'sim', ...flags, '--', ...command], {
    cwd: project,
    env: { HOME: scratch.path, TMPDIR: scratch.path },
  });
}

describe.skipIf(problem !== undefined)('no file of the kernel that is about the whole machine can be written', () => {
  const opened = ({ stdout }: { stdout: string }) => stdout.split('\n').filter((line) => line !== '');

  it('by the user of this test', async () => {
    const ran = await inSandbox(['perl', '-e', OPEN_ALL]);
    const all = opened(ran);
    expect(all.at(-1), ran.stderr).toBe('end');
    expect(harmful(all.slice(0, -1), { isRoot })).toEqual([]);
  });

  it('by an ordinary user', async ({ skip }) => {
    const works = isRoot && spawnSync(AS_NOBODY[0] ?? '', [...AS_NOBODY.slice(1), process.execPath, UNDERSTUDY, '-V']);
    if (works === false || works.status !== 0) skip('only root becomes another user, who must find the build');
    const ran = await inSandbox(['perl', '-e', OPEN_ALL], AS_NOBODY);
    const all = opened(ran);
    expect(all.at(-1), ran.stderr).toBe('end');
    expect(harmful(all.slice(0, -1), { isRoot: false })).toEqual([]);
  });
});
