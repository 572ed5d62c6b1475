import { type OwnAgent, stages, useAgent } from '@understudy/agents';
import { InvalidDocumentError, locateProblems, validate } from '@understudy/kit';
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));

/** A name, with or without a version, or an agent of the user. */
export type AgentChoice = string | OwnAgent;

// An object is looked at where it is used.
const choice = z.union([
  text,
  z.custom<OwnAgent>((agent) => typeof agent === 'object' && agent !== null && !Array.isArray(agent)),
]);

/** The options with which rehearsals run, in the names of the command line. */
const where = {
  stage: z.optional(z.enum(stages)),
  agent: z.optional(z.union([choice, z.array(choice).check(z.minLength(1))])),
  isolation: z.optional(text),
};

export const pluginOptions = z.strictObject(where);

export const runOptions = z.strictObject({
  ...where,
  grep: z.optional(text),
  suites: z.optional(z.array(text)),
  workers: z.optional(z.int().check(z.minimum(1))),
  updateSnapshots: z.optional(z.boolean()),
  output: z.optional(text),
  reporter: z.optional(z.record(z.string(), z.unknown())),
  signal: z.optional(z.custom<AbortSignal>((signal) => signal instanceof AbortSignal)),
});

/** An option that does nothing would be found out by nobody. */
export function assertOptions(schema: z.ZodMiniType, options: object, of: string): void {
  const { findings } = validate(schema, options);
  if (findings.length === 0) return;
  throw new InvalidDocumentError('OPTIONS_INVALID', `the options of ${of}`, locateProblems({}, findings));
}

/** What the runner calls `agents`. */
export function agentsOf(agent: AgentChoice | readonly AgentChoice[] | undefined): readonly string[] | undefined {
  return agent === undefined ? undefined : [agent].flat().map((one) => (typeof one === 'string' ? one : useAgent(one)));
}
