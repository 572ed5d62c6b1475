import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { writeFiles } from '../helpers/rehearsal-files.js';
import { runUnderstudy } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('init-program');
});
afterEach(() => scratch.remove());

const understudy = (...args: string[]) => runUnderstudy(args, { cwd: scratch.path });

const REVIEW = `#!/bin/sh
echo "Review: $(claude -p "Review $1")"
codex exec "Look at $PWD
and summarize." > /dev/null
`;

it('writes a rehearsal of what a program calls, which passes, and fails when it calls something else', async () => {
  writeFiles(scratch.path, { 'review.sh': REVIEW });
  const script = join(scratch.path, 'review.sh');
  chmodSync(script, 0o755);
  const init = await understudy('init', '--program', './review.sh "main file.c"');
  expect(init).toMatchObject({ code: 0, stderr: '' });
  expect(init.stdout).toContain('✓ ./review.sh "main file.c" 2 calls, exit code 0');
  const text = readFileSync(join(scratch.path, 'review.rehearsal.toml'), 'utf8');
  expect(text).toContain('run = ["{{here}}/review.sh", "main file.c"]');
  expect(text).toContain('pattern = { type = "exact", text = "Review main file.c" }');
  expect(text).toContain('pattern = { type = "contains", text = "and summarize." }');
  expect(text).toContain('stdout = "Review: Done."');
  expect(await understudy('run', '--stage', 'sim')).toMatchObject({ code: 0 });
  writeFileSync(script, REVIEW.replace('Review $1', 'Review all'));
  const changed = await understudy('run', '--stage', 'sim');
  expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining('Review main file.c') });
  expect(await understudy('init', '--program', './review.sh x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SCAFFOLD_EXISTS'),
  });
});

it('refuses a program that calls nothing', async () => {
  expect(await understudy('init', '--program', 'echo hello')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /SCAFFOLD_PROGRAM_FAILED: echo hello called no agent .* said: hello\)[\s\S]*fix: Give it/,
    ),
  });
});
