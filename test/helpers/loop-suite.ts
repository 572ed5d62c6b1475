import type { ReportedResult, SuiteReport } from '../../src/results/schema.js';
import { runUnderstudy, UNDERSTUDY } from './understudy.js';

/** A program that is asked for its version, and else does what the script says. */
export function fakeRalph(body: string, version = 'understudy loop 0.0.0'): string {
  return `#!/bin/sh\n[ "$1" = --version ] && echo '${version}' && exit\n${body}\n`;
}

/** The reference loop, for such a script. */
export const REFERENCE_LOOP = `'${process.execPath}' '${UNDERSTUDY}' loop`;

/** A run of the suite in a folder that has a `ralph`, and its report. */
export async function runSuiteIn(
  cwd: string,
  args: readonly string[],
): Promise<{ code: number | null; report: SuiteReport }> {
  const more = ['--ralph', './ralph', '--skip-analysis', '--skip-baselines', '--json'];
  const { code, stdout, stderr } = await runUnderstudy(['e2e', ...args, ...more], { cwd });
  if (stdout === '') throw new Error(stderr);
  return { code, report: JSON.parse(stdout) as SuiteReport };
}

type Verdict = Pick<ReportedResult['assertions'][number], 'name' | 'passed'>;

/** Which assertions of a result passed and which did not, by name. */
export function verdicts({ assertions }: { assertions: readonly Verdict[] }): Record<string, boolean> {
  return Object.fromEntries(assertions.map(({ name, passed }) => [name, passed]));
}
