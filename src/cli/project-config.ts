import { existsSync } from 'node:fs';
import { agentNamed, isModule, stages, useAgentModule } from '@understudy/agents';
import {
  CONFIG_FILE,
  defined,
  field,
  InvalidDocumentError,
  locateProblems,
  readSource,
  UnderstudyError,
  type UnlocatedProblem,
  validate,
} from '@understudy/kit';
import { publishedSchema } from '@understudy/script';
import { ISOLATION_VARIABLE, parseIsolation } from '@understudy/stage';
import { parseReporters, type ReporterChoice } from '@understudy/verdict';
import * as z from 'zod/mini';

const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));

export const configSchema = z.strictObject({
  paths: field('Files and folders with rehearsals, for `run` without paths.', words, ['.']),
  agents: field(
    'The agents of rehearsals that name no `agent`. The path of a module is the agent that it defines: "./my-agent.mjs".',
    words,
    ['claude'],
  ),
  suites: field(
    'Suites of your own, by the paths of their modules: "./my-suite.mjs". Their entries are run with the rehearsals.',
    words,
  ),
  stage: field(
    'The stage of rehearsals that name no `stage`: sim, scripted, replay, live.',
    z.enum(stages),
    'scripted',
  ),
  model: field(
    "The model of rehearsals that name no `model`, as the agent's --model takes it.",
    z.string().check(z.minLength(1)),
  ),
  timeout_ms: field(
    'Milliseconds for each step that does not say it itself, nor its rehearsal.',
    z.int().check(z.minimum(1)),
    180_000,
  ),
  workers: field(
    'How many run at the same time. By default one more than there are processors, and another one for cases that mostly wait.',
    z.int().check(z.minimum(1)),
  ),
  reporters: field('As --reporter: names, and files with "=".', words),
  isolation: field('As --isolation: how far agents are kept apart from this machine.', z.string()),
  defaults: field(
    'What every rehearsal has that does not say it itself: plugins, project, environment, rules, expectations.',
    z.record(z.string(), z.unknown()),
  ),
  output: field(
    'The folder for result, logs, report and artifacts. By default .understudy.',
    z.string().check(z.minLength(1)),
    '.understudy',
  ),
});

/** The file as a JSON Schema. */
export function configJsonSchema(): object {
  return publishedSchema(configSchema, {
    name: 'understudy',
    title: 'Understudy configuration',
    description: 'understudy.toml: how this project runs its rehearsals.',
  });
}

export interface ProjectConfig extends Omit<z.infer<typeof configSchema>, 'reporters'> {
  reporters?: ReporterChoice[];
}

/** Reads understudy.toml; a project without one has no defaults of its own. */
export function readProjectConfig(file = CONFIG_FILE): ProjectConfig {
  if (!existsSync(file)) return {};
  const source = readSource(file);
  const { value, findings } = validate(configSchema, source.value);
  if (value === undefined) throw new InvalidDocumentError('CONFIG_INVALID', file, locateProblems(source, findings));
  const problems: UnlocatedProblem[] = [];
  /** Reads a value as its flag does; what the flag refuses is a problem of the file. */
  const asFlag = <T>(path: (string | number)[], parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof UnderstudyError)) throw error;
      problems.push({ code: 'INVALID_VALUE', message: error.message, ...defined({ fix: error.fix }), path });
      return undefined;
    }
  };
  const { reporters: names, agents, ...config } = value;
  const { isolation } = config;
  if (isolation !== undefined) asFlag(['isolation'], () => parseIsolation(isolation));
  const reporters = names?.flatMap((name, index) => asFlag(['reporters', index], () => parseReporters(name)) ?? []);
  if (problems.length > 0) throw new InvalidDocumentError('CONFIG_INVALID', file, locateProblems(source, problems));
  return { ...config, ...defined({ reporters, agents: agents?.map(agentNamed) }) };
}

/** Makes the agents known that this project defines. */
export async function useOwnAgents(): Promise<void> {
  for (const spec of readProjectConfig().agents ?? []) if (isModule(spec)) await useAgentModule(spec);
}

interface Flags {
  workers?: number;
  reporter?: ReporterChoice[];
  json?: true;
  output?: string;
  isolation?: string;
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
  { workers, reporters, output, isolation }: ProjectConfig,
  environment: NodeJS.ProcessEnv = process.env,
): T {
  return {
    ...withIsolation(flags, { isolation }, environment),
    ...(flags.workers === undefined && workers !== undefined ? { workers } : {}),
    ...(flags.output === undefined && output !== undefined ? { output } : {}),
    ...(flags.reporter === undefined && flags.json === undefined && reporters !== undefined
      ? { reporter: reporters }
      : {}),
  };
}
