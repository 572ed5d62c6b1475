import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { optionalProgram } from './optional-program.js';

/** The package itself wants a newer Python than many machines have; the part that we use does not. */
const HARBOR = ['--no-deps', '--ignore-requires-python', 'harbor==0.25.0'];
const NEEDS = ['pydantic==2.13.4'];

/** Runs Python with the models and the validator of Harbor, whose format ATIF is; undefined where they cannot be had. */
export function prepareHarbor(): ((args: readonly string[]) => { code: number | null; output: string }) | undefined {
  const python = optionalProgram('python3', 'the look of Harbor at trajectories');
  if (python === undefined) return undefined;
  const { stdout } = spawnSync(python, ['--version'], { encoding: 'utf8' });
  const folder = join(homedir(), '.cache', 'understudy-tests', `harbor-0.25.0-${stdout.trim().replaceAll(' ', '-')}`);
  if (!existsSync(folder)) {
    mkdirSync(dirname(folder), { recursive: true });
    const fresh = mkdtempSync(`${folder}-`);
    for (const packages of [HARBOR, NEEDS]) {
      const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', fresh, ...packages];
      const { status, stderr } = spawnSync(python, args, { encoding: 'utf8' });
      if (status === 0) continue;
      rmSync(fresh, { recursive: true, force: true });
      if (process.env['CI'] === 'true') throw new Error(`harbor could not be installed: ${stderr}`);
      console.warn(`skipped: the look of Harbor at trajectories, because it could not be installed: ${stderr}`);
      return undefined;
    }
    // Another run may have been faster.
    if (existsSync(folder)) rmSync(fresh, { recursive: true });
    else renameSync(fresh, folder);
  }
  return (args) => {
    const env = { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1' };
    const { status, stdout: out, stderr } = spawnSync(python, args, { encoding: 'utf8', env });
    return { code: status, output: `${out}${stderr}` };
  };
}
