import { agentNames } from '@understudy/agents';
import { field, required } from '@understudy/kit';
import { textPatternSchema } from '@understudy/script';
import * as z from 'zod/mini';

const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));
const text = z.union([z.string().check(z.minLength(1)), textPatternSchema]);

/** How an ending is recognized. All that is given must hold. */
const endingSchema = z.strictObject({
  exit_code: field(
    'The code with which it ends, or a list of codes.',
    z.union([z.int(), z.array(z.int()).check(z.minLength(1))]),
  ),
  stdout: field('A text that it writes to stdout, or a pattern.', text),
  stderr: field('A text that it writes to stderr, or a pattern.', text),
  file: field(
    'A file of the workspace that exists; with `contains`, one that has these words.',
    z.union([
      z.string(),
      z.strictObject({
        path: required('The path of the file in the workspace.', z.string()),
        contains: required('The words that the file has.', z.string()),
      }),
    ]),
  ),
});

/** How an orchestrator is started, and how it says how it ended. */
export const contractSchema = z.strictObject({
  $schema: field('The address of a schema, for editors.', z.string()),
  name: field('A name for people.', z.string()),
  agents: required('The agents that it can use.', z.array(z.enum(agentNames)).check(z.minLength(1))),
  run: required('The program and its arguments, with placeholders.', words),
  resume: field('The command that continues after an interruption. Without it, that is not tested.', words),
  version: field('The command that prints its version.', words),
  env: field('Variables for the program, with placeholders.', z.record(z.string(), z.string())),
  files: field('Files of the workspace, by their path, with placeholders.', z.record(z.string(), z.string())),
  git: required('true: the workspace is a git repository with one commit.', z._default(z.boolean(), false)),
  work_file: field(
    'A file of the workspace that the agent changes in every call: some orchestrators want to see progress.',
    z.string().check(z.minLength(1)),
  ),
  promise: required(
    'What the agent says when the work is done, as a line of its own at the end.',
    z._default(z.string().check(z.minLength(1)), 'LOOP_COMPLETE'),
  ),
  on_agent_failure: required(
    'What it does when an agent fails: starts it again, starts its other agents in turn, or ends.',
    z._default(z.enum(['retry', 'fallback', 'stop']), 'retry'),
  ),
  timeout_ms: required(
    'Milliseconds that one run may take with stand-ins; with real agents, six times as long.',
    z._default(z.int().check(z.minimum(1)), 30_000),
  ),
  complete: required('How it says that the work is done.', z._default(endingSchema, { exit_code: 0 })),
  stopped: field('How it says that it reached a limit. By default as it says that it failed.', endingSchema),
  failed: field(
    'How it says that it failed. By default with every exit code but 0 that means nothing else.',
    endingSchema,
  ),
});

export type ContractDocument = z.infer<typeof contractSchema>;
export type Ending = z.infer<typeof endingSchema>;
