import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, scrubbedEnvironment } from '@understudy/kit';
import { Sandbox } from './sandbox.js';
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
    const sandbox = await Sandbox.open({ writable: [cwd], readable: [], ports: [] });
    try {
      return startOnce(sandbox, cwd);
    } finally {
      await sandbox.close();
    }
  } finally {
    await scratch.remove();
  }
}

function startOnce(sandbox: Sandbox, cwd: string): string | undefined {
  const env = scrubbedEnvironment();
  const enclosed = sandbox.enclose(['/bin/sh', '-c', ': > here'], { cwd, env });
  const [program = '', ...args] = enclosed.command;
  const ran = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: 10_000 });
  const { status, signal } = ran;
  const { code } = enclosed.conclude({ code: status, signal });
  if (code === 0) return undefined;
  const said = ran.error?.message ?? ran.stderr.trim().split('\n').at(-1) ?? '';
  return `bubblewrap does not work here${said === '' ? '' : `: ${said}`}`;
}
