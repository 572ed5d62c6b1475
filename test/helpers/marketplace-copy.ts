import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { CheckResult } from '../../src/checks/result.js';
import { type RunResult, runResultSchema } from '../../src/results/run-result.js';
import { runUnderstudy } from './understudy.js';

export const MARKETPLACE = resolve('examples/marketplace');

/** A copy of the example marketplace that may be spoilt. */
export class MarketplaceCopy {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    cpSync(MARKETPLACE, folder, { recursive: true });
  }

  /** Replaces a text of a file. That it is there is checked: a fault that changes nothing proves nothing. */
  edit(file: string, from: string | RegExp, to: string): void {
    const path = join(this.folder, file);
    const before = readFileSync(path, 'utf8');
    const after = before.replace(from, () => to);
    if (after === before) throw new Error(`${file} has no ${from}`);
    writeFileSync(path, after);
  }

  append(file: string, text: string): void {
    const path = join(this.folder, file);
    writeFileSync(path, readFileSync(path, 'utf8') + text);
  }

  rename(from: string, to: string): void {
    renameSync(join(this.folder, from), join(this.folder, to));
  }

  remove(path: string): void {
    rmSync(join(this.folder, path), { recursive: true });
  }

  /** The path of a rehearsal by its short name: `commands/epti-implement`. */
  rehearsal(name: string): string {
    return join(this.folder, 'rehearsals', `${name}.rehearsal.toml`);
  }
}

/** What became of a rehearsal: its status, and the checks that failed. */
export interface Verdict {
  status: string;
  failed: string[];
}

/** Runs rehearsals with the built command line. */
export async function runRehearsals(paths: readonly string[], stage: string, cwd: string): Promise<RunResult> {
  const run = await runUnderstudy(['run', ...paths, '--stage', stage, '--workers', '2', '--json'], { cwd });
  if (run.stdout === '') throw new Error(`understudy run ended with ${run.code}: ${run.stderr}`);
  return runResultSchema.parse(JSON.parse(run.stdout));
}

/** The verdicts on the rehearsals of one copy, by their short names. */
export function verdictsOf({ entries }: RunResult, copy: MarketplaceCopy): Map<string, Verdict> {
  const root = join(copy.folder, 'rehearsals') + sep;
  const own = entries.filter(({ file }) => file?.startsWith(root) === true);
  return new Map(
    own.map(({ file = '', status, steps, checks, error }) => {
      const name = relative(root, file).replace('.rehearsal.toml', '');
      const failed = [...steps.flatMap((step) => step.checks), ...checks].filter((check) => check.status !== 'passed');
      return [name, { status, failed: error === undefined ? failed.map(checkName) : [error.code] }];
    }),
  );
}

function checkName({ name }: CheckResult): string {
  return name;
}
