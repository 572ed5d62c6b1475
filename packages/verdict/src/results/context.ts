import * as z from 'zod/mini';

const text = z.string();
const count = z.int().check(z.nonnegative());

const eventSchema = z.strictObject({
  topic: text,
  payload: text,
  timestamp: text,
  source_hat: z.optional(text),
  target: z.optional(text),
});

/** One iteration of a loop. What is not recorded is absent. */
const iterationSchema = z.strictObject({
  iteration: count,
  hat: z.optional(text),
  backend: z.optional(text),
  command: text,
  prompt: z.optional(text),
  output: z.optional(text),
  stderr: z.optional(text),
  exit_code: z.optional(z.nullable(z.int())),
  failed: z.optional(z.boolean()),
  duration_ms: z.optional(z.number()),
  tool_calls: z.optional(count),
  output_tokens: z.optional(count),
  cost_usd: z.optional(z.number()),
  /** The events that it was given, each with the hat that must handle it. */
  events_given: z.array(z.strictObject({ topic: text, hat: text })),
  /** The topics of the complete events in the agent's text. */
  events_written: z.array(text),
  /** The agent's last line outside of events is the completion promise. */
  promised: z.boolean(),
});

/** Everything that was seen of a program that calls agents; secrets are taken out, long texts are cut. */
export const contextSchema = z.strictObject({
  config_yaml: text,
  /** The contract of an orchestrator that is described by one. */
  contract: z.optional(text),
  prompt_content: text,
  command_line: text,
  /** A command that runs it again in its workspace, with its environment; where the workspace was kept. */
  run_again: z.optional(text),
  exit_code: z.nullable(z.int()),
  timed_out: z.boolean(),
  duration_ms: z.number(),
  stdout: text,
  stderr: text,
  scratchpad_before: z.optional(text),
  scratchpad_after: z.optional(text),
  events_emitted: z.array(eventSchema),
  iterations: z.array(iterationSchema),
  iterations_completed: count,
  termination_reason: z.optional(text),
  workspace_files: z.array(z.strictObject({ path: text, content_preview: text, size_bytes: count })),
});

export type ProgramContext = z.infer<typeof contextSchema>;
export type ProgramIteration = z.infer<typeof iterationSchema>;
