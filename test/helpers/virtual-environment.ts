import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Makes a virtual environment with packages from PyPI, once for each machine, and gives its Python. Where that is not
 * possible, one line says what is skipped; in CI it is an error.
 */
export function virtualEnvironment(base: string, packages: readonly string[], skipped: string): string | undefined {
  const version = spawnSync(base, ['--version'], { encoding: 'utf8' }).stdout;
  const key = createHash('sha256')
    .update([base, version, ...packages].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const folder = join(homedir(), '.cache', 'understudy-tests', `python-${key}`);
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}-`);
  const made = spawnSync(base, ['-m', 'venv', ...(hasPip(base) ? ['--without-pip'] : []), fresh], { encoding: 'utf8' });
  const problem =
    made.status === 0 ? pip(base, join(fresh, 'bin', 'python'), packages) : `${made.stdout}${made.stderr}`.trim();
  if (problem === undefined) {
    // Another run may have been faster.
    if (existsSync(folder)) rmSync(fresh, { recursive: true });
    else renameSync(fresh, folder);
    return python;
  }
  rmSync(fresh, { recursive: true, force: true });
  if (process.env['CI'] === 'true') throw new Error(`${skipped} could not be prepared: ${problem}`);
  console.warn(`skipped: ${skipped}, because its packages could not be installed: ${problem}`);
  return undefined;
}

function hasPip(python: string): boolean {
  return spawnSync(python, ['-m', 'pip', '--version']).status === 0;
}

/** Installs packages, as the machine is configured for it; gives the last line of what went wrong. */
export function pip(base: string, python: string, packages: readonly string[]): string | undefined {
  const command = hasPip(base) ? [base, '-m', 'pip', '--python', python] : [python, '-m', 'pip'];
  const args = ['install', '--quiet', '--disable-pip-version-check', ...packages];
  const { status, stderr } = spawnSync(command[0] ?? '', [...command.slice(1), ...args], { encoding: 'utf8' });
  return status === 0 ? undefined : (stderr.trim().split('\n').at(-1) ?? 'pip failed');
}
