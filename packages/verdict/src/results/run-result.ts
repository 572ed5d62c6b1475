import * as z from 'zod/mini';
import { entryResultSchema } from './entry-result.js';
import { runIsolationSchema } from './isolation.js';
import {
  analysisSchema,
  loopholeSchema,
  patternSchema,
  rationalizationSchema,
  recommendationSchema,
} from './sections.js';

const text = z.string();
const count = z.int().check(z.nonnegative());

const countsSchema = z.strictObject({
  total: count,
  passed: count,
  failed: count,
  unjudged: count,
  flaky: count,
  skipped: count,
  errors: count,
  interrupted: count,
});

/** An agent that a run used or wanted to use. */
const agentStateSchema = z.strictObject({
  agent: text,
  version: z.nullable(text),
  available: z.boolean(),
  authenticated: z.boolean(),
  /** How it was found out, or why it is not so. */
  detail: text,
});

/** The one document that every run writes. What a run has nothing to say about is absent. */
export const runResultSchema = z.strictObject({
  schema_version: z.literal(2),
  understudy_version: text,
  command: z.enum(['run', 'e2e']),
  started_at: text,
  duration_ms: z.number(),
  /** All entries that ran passed, and at least one did; with `strict`, none was skipped. */
  passed: z.boolean(),
  /** The verdict in a sentence. */
  verdict: text,
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(130)]),
  counts: countsSchema,
  isolation: z.optional(runIsolationSchema),
  environment: z.strictObject({
    os: text,
    node: text,
    /** Where the workspaces of failed entries are. */
    workspace: z.optional(text),
    /** Set or not set. Never the values. */
    env_vars: z.optional(z.record(text, z.boolean())),
  }),
  shard: z.optional(
    z.strictObject({
      index: count,
      count,
      /** The same for all shards that were divided in the same way. */
      cut: text,
      /** Where its entries stand in the plan, so that a merged run has them in order. */
      places: z.array(count),
    }),
  ),
  /** A skipped entry fails the run. */
  strict: z.optional(z.boolean()),
  agents: z.optional(z.array(agentStateSchema)),
  /** The program under test of `understudy e2e`. */
  orchestrator: z.optional(
    z.strictObject({ kind: z.enum(['ralph', 'reference', 'contract']), version: text, command: text }),
  ),
  entries: z.array(entryResultSchema),
  patterns: z.optional(z.array(patternSchema)),
  /** What agents said instead of doing it. */
  rationalizations: z.optional(z.array(rationalizationSchema)),
  loopholes: z.optional(z.array(loopholeSchema)),
  recommendations: z.optional(z.array(recommendationSchema)),
  quick_fix_commands: z.optional(z.array(z.strictObject({ description: text, command: text }))),
  artifacts: z.optional(z.array(z.strictObject({ path: text, description: text }))),
  analysis: z.optional(analysisSchema),
});

export type Counts = z.infer<typeof countsSchema>;
export type AgentState = z.infer<typeof agentStateSchema>;
export type RunResult = z.infer<typeof runResultSchema>;
