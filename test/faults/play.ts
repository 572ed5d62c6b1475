import { join, relative, sep } from 'node:path';
import { type RunResult, runResultSchema } from '../../packages/verdict/src/results/run-result.js';
import { runUnderstudy } from '../helpers/understudy.js';
import { Copy } from './copy.js';
import type { Fault, RehearsedStage } from './fault.js';

/** What became of a rehearsal: its status, and the checks that failed or could not be made. */
export interface Verdict {
  status: string;
  failed: string[];
}

/** Runs rehearsals with the built command line. */
export async function runRehearsals(paths: readonly string[], stage: string, cwd: string): Promise<RunResult> {
  const run = await runUnderstudy(['run', ...paths, '--stage', stage, '--workers', '2', '--json'], { cwd });
  // Where a flag or a path is wrong, there is no result.
  const result = runResultSchema.safeParse(JSON.parse(run.stdout || '{}'));
  if (!result.success) throw new Error(`understudy run ended with ${run.code}: ${run.stdout}${run.stderr}`);
  return result.data;
}

/** A change of a folder, with the rehearsals that shall be run afterwards. */
export interface Planted {
  name: string;
  base: string;
  plant: Fault['plant'];
  rehearsals: string[];
}

/** Makes all changes, each in a copy of its own, and runs all that they ask for in one go. */
export async function playAll(
  changes: readonly Planted[],
  stage: RehearsedStage,
  scratch: string,
): Promise<Map<string, Map<string, Verdict>>> {
  const planted = changes.map(({ name, base, plant, rehearsals }, index) => {
    const copy = new Copy(base, join(scratch, `${stage}-${index}`));
    plant(copy);
    return { name, copy, rehearsals };
  });
  const paths = planted.flatMap(({ copy, rehearsals }) => rehearsals.map((rehearsal) => copy.rehearsal(rehearsal)));
  const result = await runRehearsals(paths, stage, scratch);
  return new Map(planted.map(({ name, copy }) => [name, verdictsOf(result, copy)]));
}

/** The verdicts on the rehearsals of one copy, by their short names. */
function verdictsOf({ entries }: RunResult, copy: Copy): Map<string, Verdict> {
  const root = join(copy.folder, 'rehearsals') + sep;
  const own = entries.filter(({ file }) => file?.startsWith(root) === true);
  return new Map(
    own.map(({ file = '', status, steps, checks, error }) => {
      const name = relative(root, file).replace('.rehearsal.toml', '');
      const failed = [...steps.flatMap((step) => step.checks), ...checks].filter((check) => check.status !== 'passed');
      return [name, { status, failed: error === undefined ? failed.map((check) => check.name) : [error.code] }];
    }),
  );
}
