import { constants } from 'node:os';
import { textPatternSchema } from '@understudy/script';
import { count, expectations, oneOrMore, positive, saying, words } from '@understudy/verdict';
import * as z from 'zod/mini';

const signalName = z.enum(Object.keys(constants.signals) as [string, ...string[]]);

/** What a text must be: a string that it contains, a pattern, or conditions that must all hold. */
const textExpectationSchema = z.union([
  z.string(),
  textPatternSchema,
  z.strictObject({
    contains: z.optional(oneOrMore),
    lacks: z.optional(oneOrMore),
    equals: z.optional(z.string()),
    regex: z.optional(z.string()),
    /** Values by their path in the JSON document that the text is, or that one of its lines is. */
    json: z.optional(z.record(z.string(), z.unknown())),
    empty: z.optional(z.boolean()),
  }),
]);

/** What the program called, all in all. */
const callsSchema = z.strictObject({
  count: z.optional(count),
  min: z.optional(count),
  max: z.optional(count),
  agent: z.optional(oneOrMore),
  order: z.optional(
    z
      .array(
        z.union([
          z.string(),
          z.strictObject({ agent: z.optional(z.string()), prompt: z.optional(textExpectationSchema) }),
        ]),
      )
      .check(z.minLength(1)),
  ),
  overlap: z.optional(z.union([z.boolean(), z.strictObject({ max: positive })])),
});

/** What must hold for one call: what was asked and how, and all that can be expected of a turn. */
const callExpectationSchema = z.extend(expectations.call, {
  /** From 1; -1 is the last one. Without a number it must hold for every call. */
  number: z.optional(z.int()),
  agent: z.optional(z.string()),
  prompt: z.optional(textExpectationSchema),
  args: z.optional(z.strictObject({ has: z.optional(words), lacks: z.optional(words) })),
  stdin: z.optional(textExpectationSchema),
  stdout: z.optional(textExpectationSchema),
  stderr: z.optional(textExpectationSchema),
  exit_code: z.optional(z.int()),
  signal: z.optional(signalName),
});

/** What must hold after a program has run. */
export const runExpectationSchema = z.extend(expectations.run, {
  /** 0, unless said otherwise. */
  exit_code: z.optional(z.int()),
  signal: z.optional(signalName),
  stdout: z.optional(textExpectationSchema),
  stderr: z.optional(textExpectationSchema),
  calls: z.optional(callsSchema),
  call: z.optional(z.array(callExpectationSchema)),
  time: z.optional(z.strictObject({ min_ms: z.optional(count), max_ms: z.optional(count) })),
  /** Processes that may outlive the program. */
  leftovers: z.optional(z.union([z.enum(['none', 'any']), words])),
  /** Whether the program may ask for what only a real agent can do. */
  unsupported: z.optional(z.enum(['none', 'any'])),
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
