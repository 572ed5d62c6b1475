import { agentNames } from '@understudy/agents';
import { textPatternSchema } from '@understudy/script';
import * as z from 'zod/mini';

const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));
const text = z.union([z.string().check(z.minLength(1)), textPatternSchema]);

/** How an ending is recognized. All that is given must hold. */
const endingSchema = z.strictObject({
  exit_code: z.optional(z.union([z.int(), z.array(z.int()).check(z.minLength(1))])),
  stdout: z.optional(text),
  stderr: z.optional(text),
  /** A file of the workspace that exists; with `contains`, one that has these words. */
  file: z.optional(z.union([z.string(), z.strictObject({ path: z.string(), contains: z.string() })])),
});

/** How an orchestrator is started, and how it says how it ended. */
export const contractSchema = z.strictObject({
  $schema: z.optional(z.string()),
  name: z.optional(z.string()),
  /** The agents that it can use. */
  agents: z.array(z.enum(agentNames)).check(z.minLength(1)),
  /** The program and its arguments, with placeholders. */
  run: words,
  /** Continues after an interruption, if it can. */
  resume: z.optional(words),
  /** Prints its version. */
  version: z.optional(words),
  env: z.optional(z.record(z.string(), z.string())),
  /** Files of the workspace, with placeholders. */
  files: z.optional(z.record(z.string(), z.string())),
  /** The workspace is a git repository with one commit. */
  git: z._default(z.boolean(), false),
  /** A file of the workspace that the agent changes in every call: some orchestrators want to see progress. */
  work_file: z.optional(z.string().check(z.minLength(1))),
  /** What the agent says when the work is done, as a line of its own at the end. */
  promise: z._default(z.string().check(z.minLength(1)), 'LOOP_COMPLETE'),
  /** What it does when an agent fails: starts it again, starts its other agents in turn, or ends. */
  on_agent_failure: z._default(z.enum(['retry', 'fallback', 'stop']), 'retry'),
  /** How long one run may take with stand-ins; with real agents, six times as long. */
  timeout_ms: z._default(z.int().check(z.minimum(1)), 30_000),
  complete: z._default(endingSchema, { exit_code: 0 }),
  /** It reached a limit. By default this is told in the same way as a failure. */
  stopped: z.optional(endingSchema),
  /** By default, every exit code but 0 that means nothing else. */
  failed: z.optional(endingSchema),
});

export type ContractDocument = z.infer<typeof contractSchema>;
export type Ending = z.infer<typeof endingSchema>;
