import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createScratch } from '../../src/process/scratch.js';
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
  expect(lines.slice(-5)).toEqual([
    'skipped: a.test.ts > is skipped (there is no moon)',
    'flaky, passed at the second try: a.test.ts > passes at the second try',
    'failed: a.test.ts > fails',
    'failed to load: b.test.ts',
    '3 passed, 2 failed, 1 skipped',
  ]);
});
