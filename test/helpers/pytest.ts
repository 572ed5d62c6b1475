import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { optionalProgram } from './optional-program.js';
import { type RunResult, runProgram, UNDERSTUDY } from './understudy.js';
import { pip, virtualEnvironment } from './virtual-environment.js';

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
  const skipped = 'the tests of pytest-understudy';
  const base = optionalProgram('python3', skipped);
  if (base === undefined) return undefined;
  const python = virtualEnvironment(base, REQUIREMENTS, skipped);
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
