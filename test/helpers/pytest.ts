import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { optionalProgram } from './optional-program.js';
import { type RunResult, runProgram, UNDERSTUDY } from './understudy.js';

/** The Agent SDK as source: its wheel brings a Claude Code of 160 MB that nobody needs here. */
const REQUIREMENTS = [
  'hatchling==1.33.0',
  'pytest==9.2.0',
  'pytest-xdist==3.8.0',
  'claude-agent-sdk==0.2.182',
  '--no-binary=claude-agent-sdk',
];

/** A real pytest with our package, or undefined where Python is missing. */
export interface Pytest {
  run(cwd: string, args?: readonly string[], env?: Record<string, string>): Promise<RunResult>;
  remove(): void;
}

/** Makes a virtual environment from PyPI, once for each machine, and installs our package beside it, each time. */
export function preparePytest(): Pytest | undefined {
  const base = optionalProgram('python3', 'the tests of pytest-understudy');
  if (base === undefined) return undefined;
  const python = virtualEnvironment(base);
  if (python === undefined) return undefined;
  const own = mkdtempSync(join(tmpdir(), 'pytest-understudy-'));
  const packages = ['--no-deps', '--no-build-isolation', `--target=${own}`, resolve('python')];
  const failed = pip(base, python, packages);
  if (failed !== undefined) throw new Error(`pytest-understudy could not be installed: ${failed}`);
  return {
    run: (cwd, args = [], env = {}) =>
      runProgram([python, '-m', 'pytest', '-p', 'no:cacheprovider', ...args], {
        cwd,
        env: {
          ...{ PYTHONPATH: own, PYTHONDONTWRITEBYTECODE: '1' },
          UNDERSTUDY_COMMAND: `${process.execPath} ${UNDERSTUDY}`,
          ...env,
        },
      }),
    remove: () => rmSync(own, { recursive: true, force: true }),
  };
}

function virtualEnvironment(base: string): string | undefined {
  const version = spawnSync(base, ['--version'], { encoding: 'utf8' }).stdout;
  const key = createHash('sha256')
    .update([base, version, ...REQUIREMENTS].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const folder = join(homedir(), '.cache', 'understudy-tests', `python-${key}`);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  const made = spawnSync(base, ['-m', 'venv', ...(hasPip(base) ? ['--without-pip'] : []), fresh], { encoding: 'utf8' });
  const problem =
    made.status === 0 ? pip(base, join(fresh, 'bin', 'python'), REQUIREMENTS) : `${made.stdout}${made.stderr}`.trim();
  if (problem === undefined) {
    // Another run may have been faster.
    if (existsSync(folder)) rmSync(fresh, { recursive: true });
    else renameSync(fresh, folder);
    return python;
  }
  rmSync(fresh, { recursive: true, force: true });
  if (process.env['CI'] === 'true') throw new Error(`pytest could not be installed: ${problem}`);
  console.warn(`skipped: the tests of pytest-understudy, because pytest could not be installed: ${problem}`);
  return undefined;
}

function hasPip(python: string): boolean {
  return spawnSync(python, ['-m', 'pip', '--version']).status === 0;
}

/** Installs packages, as the machine is configured for it; gives the last line of what went wrong. */
function pip(base: string, python: string, packages: readonly string[]): string | undefined {
  const command = hasPip(base) ? [base, '-m', 'pip', '--python', python] : [python, '-m', 'pip'];
  const args = ['install', '--quiet', '--disable-pip-version-check', ...packages];
  const { status, stderr } = spawnSync(command[0] ?? '', [...command.slice(1), ...args], { encoding: 'utf8' });
  return status === 0 ? undefined : (stderr.trim().split('\n').at(-1) ?? 'pip failed');
}
