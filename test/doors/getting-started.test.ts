import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createScratch, type Scratch } from '../../packages/kit/src/process/scratch.js';
import { UNDERSTUDY } from '../helpers/understudy.js';

let scratch: Scratch;
beforeEach(() => {
  scratch = createScratch('getting-started');
});
afterEach(() => scratch.remove());

/** The shell lines of each chapter, one script for each. */
function chapters(): { title: string; script: string }[] {
  const page = readFileSync('docs/getting-started.md', 'utf8');
  return page
    .split(/^## /m)
    .slice(1)
    .map((chapter) => ({
      title: chapter.split('\n')[0] ?? '',
      script: [...chapter.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code).join(''),
    }));
}

/** Runs a chapter as a reader would, with this understudy instead of one from npm, and tells the exit codes. */
function follow(script: string, cwd: string): Promise<string[]> {
  const told = script.replace(/^(npx .*?) *# (red|green)$/gm, '$1 > out.txt 2>&1; echo "$2 $?"');
  const run = `set -u\nnpx() { shift; '${process.execPath}' '${UNDERSTUDY}' "$@"; }\n${told}`;
  return new Promise((done, fail) => {
    execFile('bash', ['-c', run], { cwd }, (error, stdout, stderr) => {
      if (error !== null) fail(new Error(`${stdout}${stderr}`, { cause: error }));
      else done(stdout.split('\n').filter((line) => /^(red|green) \d+$/.test(line)));
    });
  });
}

it('goes from red to green in each chapter of docs/getting-started.md', async () => {
  const followed = await Promise.all(
    chapters().map(async ({ title, script }, index) => {
      const cwd = join(scratch.path, String(index));
      mkdirSync(cwd);
      return [title, await follow(script, cwd)];
    }),
  );
  expect(Object.fromEntries(followed)).toEqual({
    'I write a plugin': ['green 0', 'red 1', 'green 0'],
    'I write a tool': ['red 1', 'green 0'],
    'I write an orchestrator': ['red 1', 'green 0'],
    'I am an agent': ['red 1', 'green 0', 'green 0'],
  });
});
