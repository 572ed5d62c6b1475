import * as z from 'zod';
import { type CheckResult, checkResultSchema } from '../checks/result.js';
import { contextSchema } from './context.js';
import { baselineSchema, caseSectionSchema, diagnosisSchema, qualitySchema } from './sections.js';

/** What became of a step: its checks, and the conversation around it. */
const stepResultSchema = z.strictObject({
  /** From 1, as people count. */
  number: z.int(),
  name: z.string().optional(),
  /** What was said, or the command that was run. */
  send: z.string(),
  /** Of a step that runs a program: how it ended, and what it called. */
  run: z
    .strictObject({
      code: z.int().nullable(),
      signal: z.string().nullable(),
      calls: z.array(
        z.strictObject({ number: z.int(), agent: z.string(), prompt: z.string(), code: z.int().nullable().optional() }),
      ),
    })
    .optional(),
  /** `false`: an earlier step ended the conversation. */
  reached: z.boolean(),
  /** What the agent said, or the program printed. */
  said: z.string(),
  /** The tool calls of the turn, each in a line: `Glob {"pattern":"*.py"} → ok`. */
  tools: z.array(z.string()).optional(),
  /** How the workflow moved in the turn. */
  workflow: z.array(z.strictObject({ from: z.string(), to: z.string() })).optional(),
  /** How its turn ended, and why where it did not complete: `failed`, `unknown_command`. */
  outcome: z.string().optional(),
  reason: z.string().optional(),
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
  description: z.string().optional(),
  /** The file that it was read from. */
  file: z.string().optional(),
  tags: z.array(z.string()),
  /** The title below which reports show it. */
  group: z.string().optional(),
  agent: z.string(),
  stage: z.string(),
  /** From 1; more than 1 with `--repeat`. */
  round: z.int(),
  status: entryStatusSchema,
  /** Why it was skipped or interrupted. */
  reason: z.string().optional(),
  error: z.strictObject({ code: z.string(), message: z.string(), fix: z.string().optional() }).optional(),
  steps: z.array(stepResultSchema),
  /** Checks of the whole: rules that were never used, requests that nothing answered; all checks of a case. */
  checks: z.array(checkResultSchema),
  /** The workflow that it follows. */
  workflow: z
    .strictObject({
      initial: z.string(),
      stages: z.array(z.string()),
      transitions: z.array(z.strictObject({ from: z.string(), to: z.string() })),
    })
    .optional(),
  /** Calls of agents, each turn of a conversation one of them, and what they used as far as the CLIs report it. */
  usage: z
    .strictObject({
      calls: z.int(),
      input_tokens: z.number().optional(),
      output_tokens: z.number().optional(),
      cost_usd: z.number().optional(),
    })
    .optional(),
  /** How often it passed on a real model, which may miss it now and then; `low` and `high` are the 95 % interval. */
  rate: z
    .strictObject({ passed: z.int(), runs: z.int(), threshold: z.number(), low: z.number(), high: z.number() })
    .optional(),
  /** How often the same passed without the thing under test, such as a plugin; it decides nothing. */
  without: z
    .strictObject({ what: z.string(), passed: z.int(), runs: z.int(), low: z.number(), high: z.number() })
    .optional(),
  /** How often it was tried. */
  attempts: z.int(),
  duration_ms: z.number(),
  /** The folder with its project, events and requests, where it was kept. */
  artifacts: z.string().optional(),
  /** The folder with its event logs, from the folder in which this document was stored. */
  logs: z.string().optional(),
  /** The command that runs it again. */
  rerun: z.string(),
  case: caseSectionSchema.optional(),
  baselines: z.array(baselineSchema).optional(),
  context: contextSchema.optional(),
  diagnosis: diagnosisSchema.optional(),
  quality: qualitySchema.optional(),
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
