import * as z from 'zod';

const text = z.string();
const count = z.int().nonnegative();

const eventSchema = z.strictObject({
  topic: text,
  payload: text,
  timestamp: text,
  source_hat: text.optional(),
  target: text.optional(),
});

/** One iteration of a loop. What is not recorded is absent. */
const iterationSchema = z.strictObject({
  iteration: count,
  hat: text.optional(),
  backend: text.optional(),
  command: text,
  prompt: text.optional(),
  output: text.optional(),
  stderr: text.optional(),
  exit_code: z.nullable(z.int()).optional(),
  failed: z.boolean().optional(),
  duration_ms: z.number().optional(),
  tool_calls: count.optional(),
  output_tokens: count.optional(),
  cost_usd: z.number().optional(),
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
  contract: text.optional(),
  prompt_content: text,
  command_line: text,
  /** A command that runs it again in its workspace, with its environment; where the workspace was kept. */
  run_again: text.optional(),
  exit_code: z.nullable(z.int()),
  timed_out: z.boolean(),
  duration_ms: z.number(),
  stdout: text,
  stderr: text,
  scratchpad_before: text.optional(),
  scratchpad_after: text.optional(),
  events_emitted: z.array(eventSchema),
  iterations: z.array(iterationSchema),
  iterations_completed: count,
  termination_reason: text.optional(),
  workspace_files: z.array(z.strictObject({ path: text, content_preview: text, size_bytes: count })),
});

export type ProgramContext = z.infer<typeof contextSchema>;
export type ProgramIteration = z.infer<typeof iterationSchema>;
