import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, UnderstudyError } from '@understudy/kit';
import { listenForCanary, type Witness } from './canary.js';
import { isKnownMachine } from './supervisor.js';

let known: Promise<string | undefined> | undefined;

/** Why there is no sandbox here, in a sentence; undefined when it works. Tried once. */
export function sandboxProblem(): Promise<string | undefined> {
  known ??= trySandbox();
  return known;
}

const PACKAGES: readonly [string, string][] = [
  ['bwrap', 'bubblewrap is not installed'],
  ['perl', 'perl is not installed'],
];

async function trySandbox(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `there is no sandbox for ${process.platform} yet`;
  if (!isKnownMachine) return `there is no sandbox for ${process.arch} yet`;
  for (const [program, problem] of PACKAGES) {
    if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined) return problem;
  }
  const scratch = createScratch('probe');
  try {
    const cwd = join(scratch.path, 'project');
    mkdirSync(cwd);
    const { problem, blind } = await listenForCanary(cwd);
    if (blind.length > 0) throw blindWitness(blind);
    return problem === undefined ? undefined : `bubblewrap does not work here${problem === '' ? '' : `: ${problem}`}`;
  } finally {
    await scratch.remove();
  }
}

/** Whoever falls back to no sandbox then would not know that something is wrong. */
function blindWitness(blind: readonly Witness[]): UnderstudyError {
  const message = `a sandbox starts here, and a planted event was not seen by: ${blind.join(', ')}`;
  return new UnderstudyError('WITNESS_BLIND', message, {
    fix: 'Use `--isolation none`, and tell us, with the output of `understudy doctor`.',
  });
}
