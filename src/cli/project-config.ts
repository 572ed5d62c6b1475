import { existsSync } from 'node:fs';
import * as z from 'zod/mini';
import { stages } from '../agents/driver.js';
import { locateProblems, type UnlocatedProblem } from '../document/problems.js';
import { readSource } from '../document/source.js';
import { validate } from '../document/validate.js';
import { InvalidDocumentError, UnderstudyError } from '../errors.js';
import { parseReporters, type ReporterChoice } from '../reporters/reporter-names.js';

/** The file in the current folder that says how this project runs its rehearsals. */
export const CONFIG_FILE = 'understudy.toml';

const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));

const configSchema = z.strictObject({
  /** Files and folders with rehearsals. */
  paths: z.optional(words),
  /** For rehearsals that name no agent. */
  agents: z.optional(words),
  /** For rehearsals that name no stage. */
  stage: z.optional(z.enum(stages)),
  workers: z.optional(z.int().check(z.minimum(1))),
  reporters: z.optional(words),
  /** The folder for result, logs, report and artifacts. */
  output: z.optional(z.string().check(z.minLength(1))),
});

export interface ProjectConfig extends Omit<z.infer<typeof configSchema>, 'reporters'> {
  reporters?: ReporterChoice[];
}

/** Reads understudy.toml; a project without one has no defaults of its own. */
export function readProjectConfig(file = CONFIG_FILE): ProjectConfig {
  if (!existsSync(file)) return {};
  const source = readSource(file);
  const { value, findings } = validate(configSchema, source.value);
  if (value === undefined) throw new InvalidDocumentError('CONFIG_INVALID', file, locateProblems(source, findings));
  const { reporters: names, ...config } = value;
  if (names === undefined) return config;
  const problems: UnlocatedProblem[] = [];
  const reporters = names.flatMap((name, index) => {
    try {
      return parseReporters(name);
    } catch (error) {
      if (!(error instanceof UnderstudyError)) throw error;
      const { message, fix } = error;
      problems.push({
        code: 'INVALID_VALUE',
        message,
        ...(fix === undefined ? {} : { fix }),
        path: ['reporters', index],
      });
      return [];
    }
  });
  if (problems.length > 0) throw new InvalidDocumentError('CONFIG_INVALID', file, locateProblems(source, problems));
  return { ...config, reporters };
}

interface Flags {
  workers?: number;
  reporter?: ReporterChoice[];
  json?: true;
  output?: string;
}

/** Fills in what the flags do not say. */
export function withConfig<T extends Flags>(flags: T, { workers, reporters, output }: ProjectConfig): T {
  return {
    ...flags,
    ...(flags.workers === undefined && workers !== undefined ? { workers } : {}),
    ...(flags.output === undefined && output !== undefined ? { output } : {}),
    ...(flags.reporter === undefined && flags.json === undefined && reporters !== undefined
      ? { reporter: reporters }
      : {}),
  };
}
