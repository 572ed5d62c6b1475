import type { CheckResult } from '../../packages/verdict/src/checks/result.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { runUnderstudy, UNDERSTUDY } from './understudy.js';

/** A program that answers to --version, and otherwise does what the script says. */
export function fakeRalph(body: string, version = 'understudy loop 0.0.0'): string {
  return `#!/bin/sh\n[ "$1" = --version ] && echo '${version}' && exit\n${body}\n`;
}

/** The reference loop, for such a script. */
export const REFERENCE_LOOP = `'${process.execPath}' '${UNDERSTUDY}' orchestrator loop`;

/** A run of the suite in a folder that has a `ralph`, and its result. */
export async function runSuiteIn(
  cwd: string,
  args: readonly string[],
): Promise<{ code: number | null; run: RunResult }> {
  const more = ['--ralph', './ralph', '--skip-analysis', '--skip-baselines', '--json'];
  const { code, stdout, stderr } = await runUnderstudy(['e2e', '--stage', 'sim', ...args, ...more], { cwd });
  if (stdout === '') throw new Error(stderr);
  return { code, run: JSON.parse(stdout) as RunResult };
}

/** The status of each check, by name. */
export function verdicts({ checks }: { checks: readonly Pick<CheckResult, 'name' | 'status'>[] }) {
  return Object.fromEntries(checks.map(({ name, status }) => [name, status]));
}
