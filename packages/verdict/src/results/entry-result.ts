import * as z from 'zod/mini';
import { type CheckResult, checkResultSchema } from '../checks/result.js';
import { contextSchema } from './context.js';
import { isolationSchema } from './isolation.js';
import { baselineSchema, caseSectionSchema, diagnosisSchema, qualitySchema } from './sections.js';

const place = z.optional(z.int());

/** What is wrong with a file, and where. */
const problemSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  fix: z.optional(z.string()),
  /** The address inside the document, such as `responses[2].pattern`. */
  path: z.string(),
  location: z.strictObject({ file: z.optional(z.string()), line: place, column: place }),
  /** The lines around the location. */
  frame: z.optional(z.string()),
});

/** What became of a step: its checks, and the conversation around it. */
const stepResultSchema = z.strictObject({
  /** From 1, as people count. */
  number: z.int(),
  name: z.optional(z.string()),
  /** What was said, or the command that was run. */
  send: z.string(),
  /** Of a step that runs a program: how it ended, and what it called. */
  run: z.optional(
    z.strictObject({
      code: z.nullable(z.int()),
      signal: z.nullable(z.string()),
      calls: z.array(
        z.strictObject({
          number: z.int(),
          agent: z.string(),
          prompt: z.string(),
          code: z.optional(z.nullable(z.int())),
        }),
      ),
    }),
  ),
  /** `false`: an earlier step ended the conversation. */
  reached: z.boolean(),
  /** What the agent said, or the program printed. */
  said: z.string(),
  /** The tool calls of the turn, each in a line: `Glob {"pattern":"*.py"} → ok`. */
  tools: z.optional(z.array(z.string())),
  /** How the workflow moved in the turn. */
  workflow: z.optional(z.array(z.strictObject({ from: z.string(), to: z.string() }))),
  /** How its turn ended, and why where it did not complete: `failed`, `unknown_command`. */
  outcome: z.optional(z.string()),
  reason: z.optional(z.string()),
  checks: z.array(checkResultSchema),
  duration_ms: z.number(),
});

/**
 * `unjudged`: nothing failed, but a check could not be made. `error`: the harness could not do its job. `flaky`: it
 * failed, and passed when it was tried again.
 */
const entryStatusSchema = z.enum(['passed', 'failed', 'unjudged', 'flaky', 'skipped', 'error', 'interrupted']);

/** One rehearsal or case on one agent and one stage. */
export const entryResultSchema = z.strictObject({
  /** The same from one run to the next. */
  id: z.string(),
  kind: z.enum(['rehearsal', 'case']),
  name: z.string(),
  description: z.optional(z.string()),
  /** The file that it was read from. */
  file: z.optional(z.string()),
  tags: z.array(z.string()),
  /** The title below which reports show it. */
  group: z.optional(z.string()),
  agent: z.string(),
  stage: z.string(),
  /** From 1; more than 1 with `--repeat`. */
  round: z.int(),
  status: entryStatusSchema,
  isolation: z.optional(isolationSchema),
  /** Why it was skipped or interrupted. */
  reason: z.optional(z.string()),
  error: z.optional(
    z.strictObject({
      code: z.string(),
      message: z.string(),
      fix: z.optional(z.string()),
      /** Of a file that cannot be loaded: everything that is wrong with it. */
      problems: z.optional(z.array(problemSchema)),
    }),
  ),
  steps: z.array(stepResultSchema),
  /** Checks of the whole: rules that were never used, requests that nothing answered; all checks of a case. */
  checks: z.array(checkResultSchema),
  /** The workflow that it follows. */
  workflow: z.optional(
    z.strictObject({
      initial: z.string(),
      stages: z.array(z.string()),
      transitions: z.array(z.strictObject({ from: z.string(), to: z.string() })),
    }),
  ),
  /** Calls of agents, each turn of a conversation one of them, and what they used as far as the CLIs report it. */
  usage: z.optional(
    z.strictObject({
      calls: z.int(),
      input_tokens: z.optional(z.number()),
      output_tokens: z.optional(z.number()),
      cost_usd: z.optional(z.number()),
    }),
  ),
  /** How often it passed on a real model, which may miss it now and then; `low` and `high` are the 95 % interval. */
  rate: z.optional(
    z.strictObject({ passed: z.int(), runs: z.int(), threshold: z.number(), low: z.number(), high: z.number() }),
  ),
  /** How often the same passed without the thing under test, such as a plugin; it decides nothing. */
  without: z.optional(
    z.strictObject({ what: z.string(), passed: z.int(), runs: z.int(), low: z.number(), high: z.number() }),
  ),
  /** How often it was tried. */
  attempts: z.int(),
  duration_ms: z.number(),
  /** The folder with its project, events and requests, where it was kept. */
  artifacts: z.optional(z.string()),
  /** The folder with its event logs, from the folder in which this document was stored. */
  logs: z.optional(z.string()),
  /** The command that runs it again. */
  rerun: z.string(),
  case: z.optional(caseSectionSchema),
  baselines: z.optional(z.array(baselineSchema)),
  context: z.optional(contextSchema),
  diagnosis: z.optional(diagnosisSchema),
  quality: z.optional(qualitySchema),
});

export type StepResult = z.infer<typeof stepResultSchema>;
export type EntryStatus = z.infer<typeof entryStatusSchema>;
export type EntryResult = z.infer<typeof entryResultSchema>;

/** All checks of an entry, those of its steps first. */
export function checksOf({ steps, checks }: Pick<EntryResult, 'steps' | 'checks'>): CheckResult[] {
  return [...steps.flatMap((step) => step.checks), ...checks];
}

/** The statuses that make a run red. */
export function isRed({ status }: Pick<EntryResult, 'status'>): boolean {
  return status === 'failed' || status === 'unjudged' || status === 'error' || status === 'interrupted';
}
