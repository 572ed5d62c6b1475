import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import { runInlineTests } from '../helpers/run-inline-tests.js';

it('counts the tests of a run, and names those that were slow, skipped, flaky, failed or not loaded', async () => {
  const scratch = createScratch('reporter');
  onTestFinished(() => scratch.remove());
  const summary = join(scratch.path, 'summary.txt');
  await runInlineTests(
    join(scratch.path, 'tests'),
    {
      'a.test.ts': `import { expect, it } from 'vitest';
let tries = 0;
it('passes', () => {});
it('takes its time', () => new Promise((resolve) => setTimeout(resolve, 300)));
it('fails', () => expect(1).toBe(2));
it('passes at the second try', () => expect(++tries).toBe(2));
it('is skipped', ({ skip }) => skip('skipped: there is no moon'));
`,
      'b.test.ts': "import './not-there.js';",
      'c.test.ts': `import { beforeAll, describe, it } from 'vitest';
describe('a block', () => {
  beforeAll(() => { throw new Error('no'); });
  it('never runs', () => {});
});
`,
    },
    {
      config: 'retry: 1,',
      args: [`--reporter=${resolve('scripts/ci-reporter.mjs')}`],
      env: { UNDERSTUDY_SUMMARY: summary },
    },
  );
  const lines = readFileSync(summary, 'utf8').trimEnd().split('\n');
  expect(lines[0]).toBe('the slowest tests:');
  expect(lines[1]).toMatch(/^ +0\.\d s {2}a\.test\.ts > takes its time$/);
  expect(lines.slice(-8).sort()).toEqual(
    [
      'skipped: a.test.ts > is skipped (there is no moon)',
      'skipped: c.test.ts > a block > never runs',
      'flaky, passed at the second try: a.test.ts > passes at the second try',
      '1 passed at the second try: each is a bug',
      'failed: a.test.ts > fails',
      'failed to load or in a hook: b.test.ts',
      'failed to load or in a hook: c.test.ts > a block',
      '3 passed, 3 failed, 2 skipped',
    ].sort(),
  );
  expect(lines.at(-1)).toBe('3 passed, 3 failed, 2 skipped');
});

it('adds up the counts of several runs, and a run without a summary is a failure', () => {
  const scratch = createScratch('summary');
  onTestFinished(() => scratch.remove());
  const [first, second] = ['first', 'second'].map((name) => join(scratch.path, name)) as [string, string];
  writeFileSync(first, 'skipped: a (no moon)\n3 passed, 0 failed, 1 skipped\n');
  writeFileSync(second, '4 passed, 0 failed, 0 skipped\n');
  const sum = (...files: string[]) => {
    const run = spawnSync(process.execPath, ['scripts/ci-summary.mjs', ...files], { encoding: 'utf8' });
    return [run.status, run.stdout.trimEnd().split('\n').at(-1)];
  };
  expect(sum(first, second)).toEqual([0, '7 passed, 0 failed, 1 skipped']);
  expect(sum(first, join(scratch.path, 'none'))).toEqual([1, '3 passed, 1 failed, 1 skipped']);
  writeFileSync(second, '4 passed, 2 failed, 0 skipped\n');
  expect(sum(first, second)).toEqual([1, '7 passed, 2 failed, 1 skipped']);
});
