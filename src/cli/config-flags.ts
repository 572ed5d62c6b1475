import { defined } from '@understudy/kit';
import { type ProjectConfig, readProjectConfig } from '@understudy/runner';
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
