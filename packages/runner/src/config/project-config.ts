import { dirname, isAbsolute, join } from 'node:path';
import { agentNamed, isModule, stages, useAgentModule } from '@understudy/agents';
import {
  configFile,
  defined,
  FORMAT,
  field,
  InvalidDocumentError,
  locateProblems,
  readSource,
  refuseNewerFormat,
  UnderstudyError,
  type UnlocatedProblem,
  validate,
} from '@understudy/kit';
import { publishedSchema } from '@understudy/script';
import { parseIsolation } from '@understudy/stage';
import { parseReporters, type ReporterChoice } from '@understudy/verdict';
import * as z from 'zod/mini';
import { reviewTargets, targetSchema } from '../rehearsal/targets.js';

const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));

export const configSchema = z.strictObject({
  format: field('The version of the format of this file. Without it, 1.', z.literal(FORMAT), FORMAT),
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
  targets: field(
    'The rows of the matrix: `run` plays each rehearsal in each of them; --target chooses some.',
    z.array(targetSchema).check(z.minLength(1)),
  ),
  defaults: field(
    'What every rehearsal has that does not say it itself: plugins, project, environment, rules, expectations.',
    z.record(z.string(), z.unknown()),
  ),
  output: field(
    'The folder for result, logs, report and artifacts. By default .understudy in the current folder.',
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
  /** The file, if there is one. */
  file?: string;
}

/** Reads the understudy.toml of this command; a project without one has no defaults of its own. Its paths are given from here. */
export function readProjectConfig(file = configFile()): ProjectConfig {
  if (file === undefined) return {};
  const source = readSource(file);
  refuseNewerFormat(source);
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
  const { reporters: names, agents, suites, paths, output, targets, ...config } = value;
  const { isolation } = config;
  const here = (path: string) => (isAbsolute(path) ? path : join(dirname(file), path));
  if (isolation !== undefined) asFlag(['isolation'], () => parseIsolation(isolation));
  for (const [index, { isolation: own }] of (targets ?? []).entries())
    if (own !== undefined) asFlag(['targets', index, 'isolation'], () => parseIsolation(own));
  problems.push(...reviewTargets(targets ?? [], file));
  const reporters = names?.flatMap((name, index) => asFlag(['reporters', index], () => parseReporters(name)) ?? []);
  if (problems.length > 0) throw new InvalidDocumentError('CONFIG_INVALID', file, locateProblems(source, problems));
  const agentHere = (spec: string) => agentNamed(isModule(spec) ? moduleFrom(spec, here) : spec);
  return {
    ...config,
    ...defined({
      reporters: reporters?.map((choice) => reporterFrom(choice, here)),
      agents: agents?.map(agentHere),
      suites: suites?.map((module) => moduleFrom(module, here)),
      targets: targets?.map((target) => ({ ...target, ...defined({ agents: target.agents?.map(agentHere) }) })),
      paths: paths?.map(here),
      output: output && here(output),
    }),
    file,
  };
}

/** A name of no folder stays one: `./agent`, not `agent`. */
function moduleFrom(path: string, here: (path: string) => string): string {
  const moved = here(path);
  return isAbsolute(moved) || moved.startsWith('.') ? moved : `./${moved}`;
}

/** What an own reporter gets as its target is its own matter, and a collector has an address. */
function reporterFrom(choice: ReporterChoice, here: (path: string) => string): ReporterChoice {
  const { name, file, module } = choice;
  if (module !== undefined) return { ...choice, module: moduleFrom(module, here) };
  return file === undefined || name === 'otlp' ? choice : { ...choice, file: here(file) };
}

/** Makes the agents known that this project defines. */
export async function useOwnAgents(): Promise<void> {
  const { agents = [], targets = [] } = readProjectConfig();
  for (const spec of [...agents, ...targets.flatMap((target) => target.agents ?? [])])
    if (isModule(spec)) await useAgentModule(spec);
}
