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
  expect(lines.slice(-7).sort()).toEqual(
    [
      'skipped: a.test.ts > is skipped (there is no moon)',
      'skipped: c.test.ts > a block > never runs',
      'flaky, passed at the second try: a.test.ts > passes at the second try',
      'failed: a.test.ts > fails',
      'failed to load or in a hook: b.test.ts',
      'failed to load or in a hook: c.test.ts > a block',
      '3 passed, 3 failed, 2 skipped',
    ].sort(),
  );
  expect(lines.at(-1)).toBe('3 passed, 3 failed, 2 skipped');
});
