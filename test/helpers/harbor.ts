import { spawnSync } from 'node:child_process';
import { optionalProgram } from './optional-program.js';
import { virtualEnvironment } from './virtual-environment.js';

/**
 * Harbor, and what its models need, with none of its other dependencies. The package wants a newer Python than many
 * machines have; the part that we use does not.
 */
const PACKAGES = [
  ...['--no-deps', '--ignore-requires-python', 'harbor==0.25.0', 'pydantic==2.13.4', 'pydantic-core==2.46.4'],
  ...['annotated-types==0.8.0', 'typing-extensions==4.16.0', 'typing-inspection==0.4.5'],
];
const WHAT = 'the look of Harbor at trajectories';

/** Runs Python with the models and the validator of Harbor, whose format ATIF is; undefined where they cannot be had. */
export function prepareHarbor(): ((args: readonly string[]) => { code: number | null; output: string }) | undefined {
  const base = optionalProgram('python3', WHAT);
  const python = base === undefined ? undefined : virtualEnvironment(base, PACKAGES, WHAT);
  if (python === undefined) return undefined;
  return (args) => {
    const { status, stdout, stderr } = spawnSync(python, args, { encoding: 'utf8' });
    return { code: status, output: `${stdout}${stderr}` };
  };
}
