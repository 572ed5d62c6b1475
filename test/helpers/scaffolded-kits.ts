import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { KIT_FAULTS, KIT_PLUGIN } from './kit-plugin.js';
import { writeFiles } from './rehearsal-files.js';
import { sample, seedOr } from './seeded.js';
import { runUnderstudy } from './understudy.js';

/** The faults of this run: half of them in CI, by seed. */
const FAULTS = sample(Object.entries(KIT_FAULTS), isLocal() ? Number.POSITIVE_INFINITY : 5, seedOr(1));

function isLocal(): boolean {
  return process.env['CI'] !== 'true';
}

/** Runs `init` on the sound kit, seeds each fault in a copy, runs all of them, and gives the failed steps of each. */
export async function runScaffoldedKits(
  folder: string,
  stage: 'sim' | 'scripted',
): Promise<Record<string, { status: string; failed: string[] }>> {
  const sound = join(folder, 'sound');
  writeFiles(sound, KIT_PLUGIN);
  expect(await runUnderstudy(['init'], { cwd: sound })).toMatchObject({ code: 0, stderr: '' });
  for (const [name, { file, from, to }] of FAULTS) {
    cpSync(sound, join(folder, name), { recursive: true });
    const path = join(folder, name, file);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
  }
  const { stdout, stderr } = await runUnderstudy(['run', '.', '--stage', stage, '--json'], { cwd: folder });
  expect(stderr).toBe('');
  const { entries } = JSON.parse(stdout) as RunResult;
  return Object.fromEntries(
    entries.map((entry) => {
      const steps = entry.steps.filter((step) => step.checks.some(({ status }) => status !== 'passed'));
      return [entry.file?.split('/')[0] ?? '', { status: entry.status, failed: steps.map(({ name }) => name ?? '') }];
    }),
  );
}

/** What a run of the kits must give: green for the sound one, and red at the steps that name the fault. */
export const EXPECTED_KITS = {
  sound: { status: 'passed', failed: [] },
  ...Object.fromEntries(FAULTS.map(([name, { fails }]) => [name, { status: 'failed', failed: fails }])),
};
