import { join, relative } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createScratch } from '../../packages/kit/src/process/scratch.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { MARKETPLACE } from '../faults/copy.js';
import { runRehearsals } from '../faults/play.js';
import { realAgent } from '../helpers/real-agents.js';
import { LONG, makesLongProofs, sample, seedOr } from '../helpers/seeded.js';

const AREAS = { installation: 3, commands: 16, flows: 9, agents: 9, workflows: 6, integration: 3 };
const PATTERNS = { 'agent-loop-whole': 14, 'epti-whole': 22, 'visual-iteration-whole': 26 };
const TEN_MINUTES = 600_000;

const scratch = createScratch('marketplace-suite');
afterAll(() => scratch.remove());

const folder = join(MARKETPLACE, 'rehearsals');
const seed = seedOr(9);

/** Runs some of it once, and gives what did not pass with its failed checks. */
async function runSuite(stage: string, paths: readonly string[]) {
  const run = await runRehearsals(paths, stage, scratch.path);
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
  return { run, red };
}

let onSim: RunResult | undefined;

it('passes on the stand-in, with enough of every area', { timeout: TEN_MINUTES }, async () => {
  const { run, red } = await runSuite('sim', [folder]);
  onSim = run;
  expect(red.filter(({ status }) => status !== 'skipped')).toEqual([]);
  // What cannot be played there says why.
  for (const { file, status, reason } of run.entries) {
    if (status === 'skipped') expect(reason, file).toMatch(/\w{3,} \w+/);
  }
  const names = run.entries.map(({ file = '' }) => relative(folder, file));
  for (const [area, least] of Object.entries(AREAS)) {
    expect(names.filter((name) => name.startsWith(`${area}/`)).length, area).toBeGreaterThanOrEqual(least);
  }
});

if (makesLongProofs)
  it(`passes on the real Claude Code${LONG ? '' : `, a twelfth of it by seed ${seed}`}`, {
    timeout: TEN_MINUTES,
  }, async (context) => {
    await realAgent('claude', context);
    const entries = onSim?.entries ?? [];
    const isWanted = ({ file = '', status }: (typeof entries)[number]) =>
      status === 'skipped' || Object.keys(PATTERNS).some((name) => file.includes(name));
    // What the stand-in cannot play, and the long ones, are always among them.
    const always = entries.filter(isWanted);
    const others = entries.filter((entry) => !isWanted(entry));
    const chosen = [...always, ...sample(others, Math.max(0, Math.ceil(entries.length / 12) - always.length), seed)];
    const { run, red } = await runSuite(
      'scripted',
      chosen.flatMap(({ file }) => file ?? []),
    );
    expect(red).toEqual([]);
    expect(run.passed).toBe(true);
    expect(run.entries).toHaveLength(chosen.length);
    for (const [name, turns] of Object.entries(PATTERNS)) {
      const pattern = run.entries.find(({ file }) => file?.includes(name) === true);
      // A prompt and its answer are two turns.
      expect(pattern?.steps.filter((step) => step.reached).length, name).toBe(turns / 2);
    }
  });
