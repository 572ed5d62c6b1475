import { constants } from 'node:os';
import {
  argumentsSchema,
  callsSchema,
  count,
  expectations,
  field,
  positive,
  saying,
  textExpectationSchema,
  timeSchema,
  words,
} from '@understudy/verdict';
import * as z from 'zod/mini';

const signalName = z.enum(Object.keys(constants.signals) as [string, ...string[]]);

/** What must hold for one call: what was asked and how, and all that can be expected of a turn. */
const callExpectationSchema = z.extend(expectations.call, {
  number: field('Which call, from 1; -1 is the last one. Without it, it must hold for every call.', z.int()),
  agent: field('The agent that was called.', z.string()),
  prompt: field('What it was asked.', textExpectationSchema),
  args: field('Words on its command line: has, lacks.', argumentsSchema),
  stdin: field('What it was given on stdin.', textExpectationSchema),
  stdout: field('What it wrote to stdout.', textExpectationSchema),
  stderr: field('What it wrote to stderr.', textExpectationSchema),
  exit_code: field('The code with which it ended.', z.int()),
  signal: field('The signal that ended it.', signalName),
});

/** What must hold after a program has run. */
export const runExpectationSchema = z.extend(expectations.run, {
  exit_code: field('The code with which the program ends; 0 if it is not said.', z.int()),
  signal: field('The signal that ends the program.', signalName),
  stdout: field('What the program writes to stdout.', textExpectationSchema),
  stderr: field('What the program writes to stderr.', textExpectationSchema),
  calls: field('What the program calls, all in all: count, agent, order, overlap …', callsSchema),
  call: field('What holds for one call, or for every call.', z.array(callExpectationSchema)),
  time: field('How long the program may run.', timeSchema),
  leftovers: field(
    'Processes that may outlive the program: "none", "any", or a word of the command line of each.',
    z.union([z.enum(['none', 'any']), words]),
  ),
  unsupported: field(
    '"any" allows that the program asks a stand-in for what only the real agent can do.',
    z.enum(['none', 'any']),
  ),
});

/** One step that runs a program. */
export const runStepSchema = z.strictObject({
  name: z.optional(z.string()),
  /** A program and its arguments, or a line for the shell. */
  run: z.union([z.string().check(z.minLength(1)), words]),
  stdin: z.optional(z.string()),
  env: z.optional(z.record(z.string(), z.union([z.string(), z.array(z.string())]))),
  /** A folder in the project. */
  cwd: z.optional(z.string()),
  timeout_ms: z.optional(positive),
  signal: z.optional(
    z.strictObject({
      send: signalName,
      after_ms: z.optional(count),
      /** When this call has begun. */
      after_call: z.optional(positive),
      /** `group`: as Ctrl-C in a terminal does; the default for SIGINT. */
      to: z.optional(z.enum(['program', 'group'])),
    }),
  ),
  /** Whose turn state the calls have: one for all of the step, or each session its own. */
  state: z.optional(z.enum(['run', 'session'])),
  /** In a terminal: the step is over when the screen shows this; without it, when the screen is quiet. */
  wait_for: z.optional(saying),
  expect: z.optional(runExpectationSchema),
});

export type RunStep = z.infer<typeof runStepSchema>;
export type RunExpectation = z.infer<typeof runExpectationSchema>;
export type CallExpectation = z.infer<typeof callExpectationSchema>;
