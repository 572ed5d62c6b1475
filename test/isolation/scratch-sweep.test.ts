import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { greeting, writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('sweep');
});
afterEach(() => scratch.remove());

it('a run removes what a dead run left, and nothing of a living one', async () => {
  const tmp = join(scratch.path, 'tmp');
  const gone = spawn('/bin/true');
  await new Promise((resolve) => gone.once('exit', resolve));
  // As ours, but of a process that has ended; and as ours, of this one.
  const living = basename(scratch.path);
  const left = living.replace(String(process.pid), String(gone.pid));
  for (const name of [left, living]) {
    mkdirSync(join(tmp, name), { recursive: true });
    writeFileSync(join(tmp, name, 'a.txt'), 'a');
  }
  writeFiles(scratch.path, { 'tests/a.rehearsal.toml': greeting() });
  const cwd = join(scratch.path, 'tests');
  const { code } = await runUnderstudy(['run', '--stage', 'sim'], { cwd, env: { TMPDIR: tmp } });
  expect(code).toBe(0);
  expect(readdirSync(tmp).filter((name) => name.startsWith('understudy-'))).toEqual([living]);
});
