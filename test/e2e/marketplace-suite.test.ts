import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../src/process/scratch.js';
import { MARKETPLACE } from '../faults/copy.js';
import { runRehearsals } from '../faults/play.js';
import { realAgent } from '../helpers/real-agents.js';

const AREAS = { installation: 3, commands: 16, flows: 9, agents: 9, workflows: 6, integration: 3 };
const PATTERNS = { 'agent-loop-whole': 14, 'epti-whole': 22, 'visual-iteration-whole': 26 };
const FIVE_MINUTES = 300_000;

const scratch = createScratch('marketplace-suite');
afterAll(() => scratch.remove());

/** Runs all of it once, and gives what did not pass with its failed checks. */
async function runSuite(stage: string) {
  const folder = join(MARKETPLACE, 'rehearsals');
  const run = await runRehearsals([folder], stage, scratch.path);
  const names = run.entries.map(({ file = '' }) => relative(folder, file));
  const red = run.entries
    .filter(({ status }) => status !== 'passed')
    .map(({ file = '', status, error, steps, checks }) => ({
      file: relative(folder, file),
      status,
      error: error?.message,
      failed: [...steps.flatMap((step) => step.checks), ...checks]
        .filter((check) => check.status !== 'passed')
        .map(({ name, expected, actual }) => `${name}: ${expected}; seen: ${actual}`),
    }));
  return { run, names, red };
}

it('passes whole on the real Claude Code, with enough of every area', { timeout: FIVE_MINUTES }, async (context) => {
  await realAgent('claude', context);
  const { run, names, red } = await runSuite('scripted');
  expect(red).toEqual([]);
  expect(run.passed).toBe(true);
  for (const [area, least] of Object.entries(AREAS)) {
    expect(names.filter((name) => name.startsWith(`${area}/`)).length, area).toBeGreaterThanOrEqual(least);
  }
  for (const [name, turns] of Object.entries(PATTERNS)) {
    const pattern = run.entries.find(({ file }) => file?.includes(name) === true);
    // A prompt and its answer are two turns.
    expect(pattern?.steps.filter((step) => step.reached).length, name).toBe(turns / 2);
  }
});

it('gives the same verdicts on the stand-in', { timeout: FIVE_MINUTES }, async () => {
  const { run, red } = await runSuite('sim');
  expect(red.filter(({ status }) => status !== 'skipped')).toEqual([]);
  // What cannot be played there says why.
  for (const { file, status, reason } of run.entries) {
    if (status === 'skipped') expect(reason, file).toMatch(/\w{3,} \w+/);
  }
});
