import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readReport } from '../../packages/verdict/src/reporters/markdown/read-markdown.js';
import { LONG, sample, seedOr } from '../helpers/seeded.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { loopFaults } from './catalogue/loop.js';
import { plantLoop } from './faulty-loop.js';

const root = mkdtempSync(join(tmpdir(), 'understudy-faults-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs one case against a loop with these changes. */
async function play(folder: string, changes: Parameters<typeof plantLoop>[1], args: readonly string[]) {
  const cwd = join(root, folder);
  mkdirSync(cwd);
  const ralph = await plantLoop(cwd, changes);
  return await runUnderstudy(['e2e', '--stage', 'sim', 'all', '--ralph', ralph, '--skip-analysis', ...args], { cwd });
}

// Those that wait for a limit of minutes are for the long run.
const quick = LONG ? loopFaults : loopFaults.filter(({ slow }) => slow !== true);
const seed = seedOr(1);
const planted = sample(quick, Math.ceil(quick.length / 4), seed);

it(`passes without a fault, so that it is the fault that is found`, {
  timeout: 120_000,
}, async () => {
  // That every case passes is shown in loop-suite.test.ts; here, that a loop which is built like this one does.
  const { code, stdout } = await play('sound', [], ['--grep', 'hat-single', '--skip-baselines']);
  expect(code, stdout).toBe(0);
});

it.each(planted)('finds that $name, by $caughtBy', { timeout: 120_000 }, async (fault) => {
  const { name, caughtBy, changes, blamed } = fault;
  const folder = name.replaceAll(/\W+/g, '-');
  const baselines = name.includes('nobody asked') ? [] : ['--skip-baselines'];
  const { code, stdout } = await play(folder, changes, ['--grep', caughtBy, ...baselines]);
  expect(code, stdout).toBe(1);
  expect(stdout).toMatch(/^1 failed in /m);
  if (blamed === undefined) return;
  const { failures } = readReport(readFileSync(join(root, folder, '.e2e-tests/report.md'), 'utf8'));
  expect(failures[0]?.hypothesis).toMatch(blamed);
});
