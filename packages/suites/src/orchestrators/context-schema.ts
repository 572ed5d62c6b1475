import { field, required } from '@understudy/kit';
import type { EntryResult } from '@understudy/verdict';
import * as z from 'zod/mini';

const text = z.string();
const count = z.int().check(z.nonnegative());

const eventSchema = z.strictObject({
  topic: required('The topic of the event.', text),
  payload: required('What the event says.', text),
  timestamp: required('When it was published.', text),
  source_hat: field('The hat that published it.', text),
  target: field('The hat for which it is meant.', text),
});

/** One iteration of a loop. What is not recorded is absent. */
const iterationSchema = z.strictObject({
  iteration: required('The number of the iteration, from 1.', count),
  hat: field('The hat that the agent had on.', text),
  backend: field('The agent that was called.', text),
  command: required('The command line of the call.', text),
  prompt: field('What the agent was asked.', text),
  output: field('What the agent wrote to stdout.', text),
  stderr: field('What the agent wrote to stderr.', text),
  exit_code: field('The code with which the agent ended; null after a signal.', z.nullable(z.int())),
  failed: field('Whether the program took the call for failed.', z.boolean()),
  duration_ms: field('Milliseconds that the call took.', z.number()),
  tool_calls: field('How many tools the agent called.', count),
  output_tokens: field('Tokens that the model wrote.', count),
  cost_usd: field('What the call cost, in dollars.', z.number()),
  events_given: required(
    'The events that the iteration was given.',
    z.array(
      z.strictObject({
        topic: required('The topic of the event.', text),
        hat: required('The hat that must handle it.', text),
      }),
    ),
  ),
  events_written: required("The topics of the complete events in the agent's text.", z.array(text)),
  promised: required("Whether the agent's last line outside of events is the completion promise.", z.boolean()),
});

/** Everything that was seen of a program that calls agents; secrets are taken out, long texts are cut. */
export const contextSchema = z.strictObject({
  config_yaml: required('The configuration of the program.', text),
  contract: field('The contract of an orchestrator that is described by one.', text),
  prompt_content: required('The prompt that the program was given.', text),
  command_line: required('The command line of each run, in a line.', text),
  run_again: field(
    'A command that runs it again in its workspace, with its environment. Only where the workspace was kept.',
    text,
  ),
  exit_code: required('The code with which the last run ended; null after a signal.', z.nullable(z.int())),
  timed_out: required('Whether a run was killed because it took too long.', z.boolean()),
  duration_ms: required('Milliseconds that all runs took.', z.number()),
  stdout: required('What the program wrote to stdout.', text),
  stderr: required('What the program wrote to stderr.', text),
  scratchpad_before: field('The scratchpad before the first run.', text),
  scratchpad_after: field('The scratchpad after the last run.', text),
  events_emitted: required('The events that were published, in order.', z.array(eventSchema)),
  iterations: required('The calls of agents, in order.', z.array(iterationSchema)),
  iterations_completed: required('How many iterations came to their end.', count),
  termination_reason: field('Why the loop ended, as the program says it.', text),
  workspace_files: required(
    'The files of the workspace.',
    z.array(
      z.strictObject({
        path: required('The path in the workspace.', text),
        content_preview: required('The beginning of the file.', text),
        size_bytes: required('How large the file is.', count),
      }),
    ),
  ),
});

export type ProgramContext = z.infer<typeof contextSchema>;
export type ProgramIteration = z.infer<typeof iterationSchema>;

/** The program under test. */
export const orchestratorSchema = z.strictObject({
  kind: required(
    'What it is: Ralph, the reference loop, or a program with a contract.',
    z.enum(['ralph', 'reference', 'contract']),
  ),
  version: required('The version that it prints.', text),
  command: required('How it is started.', text),
});
export type OrchestratorSection = z.infer<typeof orchestratorSchema>;

/** What was seen of an entry. Where a result was read, the schema above has looked at it. */
export function contextOf({ context }: Pick<EntryResult, 'context'>): ProgramContext | undefined {
  return context as ProgramContext | undefined;
}
