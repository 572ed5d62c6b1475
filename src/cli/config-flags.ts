import { defined } from '@understudy/kit';
import { chosenTargets, type ProjectConfig, readProjectConfig, type Target } from '@understudy/runner';
import { ISOLATION_VARIABLE } from '@understudy/stage';
import type { ReporterChoice } from '@understudy/verdict';

interface Flags {
  workers?: number;
  reporter?: ReporterChoice[];
  json?: true;
  output?: string;
  isolation?: string;
  configFile?: string;
}

/** The flag for isolation, else its variable, which is of one machine, else the file. */
export function withIsolation<T extends { isolation?: string }>(
  flags: T,
  { isolation }: ProjectConfig = readProjectConfig(),
  environment: NodeJS.ProcessEnv = process.env,
): T {
  const isSaid = flags.isolation !== undefined || Boolean(environment[ISOLATION_VARIABLE]);
  return isSaid ? flags : { ...flags, ...defined({ isolation }) };
}

/** The rows of the matrix that are played: all, or those of `--target`. How far programs are kept apart is as in `withIsolation`. */
export function withTargets(
  { target, isolation }: { target?: readonly string[]; isolation?: string },
  { targets = [] }: ProjectConfig,
  environment: NodeJS.ProcessEnv = process.env,
): { targets?: Target[] } {
  const chosen = chosenTargets(targets, target);
  const isSaid = isolation !== undefined || Boolean(environment[ISOLATION_VARIABLE]);
  if (chosen.length === 0) return {};
  return {
    targets: chosen.map(({ isolation: own, ...row }) => (isSaid ? row : { ...row, ...defined({ isolation: own }) })),
  };
}

/** Fills in what the flags do not say. */
export function withConfig<T extends Flags>(
  flags: T,
  { workers, reporters, output, isolation, file }: ProjectConfig,
  environment: NodeJS.ProcessEnv = process.env,
): T {
  return {
    ...withIsolation(flags, { isolation }, environment),
    ...(file === undefined ? {} : { configFile: file }),
    ...(flags.workers === undefined && workers !== undefined ? { workers } : {}),
    ...(flags.output === undefined && output !== undefined ? { output } : {}),
    ...(flags.reporter === undefined && flags.json === undefined && reporters !== undefined
      ? { reporter: reporters }
      : {}),
  };
}
