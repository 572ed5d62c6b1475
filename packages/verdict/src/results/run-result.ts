import { field, required } from '@understudy/kit';
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
import { suiteSection } from './suite-sections.js';

const text = z.string();
const count = z.int().check(z.nonnegative());

const countsSchema = z.strictObject({
  total: required('All entries.', count),
  passed: required('Entries that passed.', count),
  failed: required('Entries with a failed check.', count),
  unjudged: required(
    'Entries without a failed check, but with one that could not be made. They make the run red.',
    count,
  ),
  flaky: required('Entries that failed, and passed when they were tried again.', count),
  expected_failures: required('Entries that failed as their files say.', count),
  skipped: required('Entries that could not run here.', count),
  errors: required('Entries for which the harness could not do its job.', count),
  interrupted: required('Entries that were ended before they were done, or never began.', count),
});

/** An agent that a run used or wanted to use. */
const agentStateSchema = z.strictObject({
  agent: required('The name of the agent.', text),
  version: required('The version that was found; null where none was.', z.nullable(text)),
  available: required('Whether the agent can be started.', z.boolean()),
  authenticated: required('Whether the agent is signed in.', z.boolean()),
  detail: required('How it was found out, or why it is not so.', text),
});

/** The one document that every run writes. What a run has nothing to say about is absent. */
export const runResultSchema = z.strictObject({
  schema_version: required('The version of this format.', z.literal(2)),
  understudy_version: required('The version of Understudy that wrote it.', text),
  command: required('The command: run plays rehearsals, e2e the cases of an orchestrator.', z.enum(['run', 'e2e'])),
  config: field('The understudy.toml that it read, from the folder in which it ran.', text),
  started_at: required('When the run began: an ISO 8601 time.', text),
  duration_ms: required('Milliseconds that the run took.', z.number()),
  passed: required('All entries that ran passed, and at least one did; with `strict`, none was skipped.', z.boolean()),
  verdict: required('The verdict in a sentence.', text),
  exit_code: required(
    '0: all passed. 1: something failed. 2: the harness could not do its job, or nothing ran. 130: interrupted.',
    z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(130)]),
  ),
  counts: required('How many entries have which status.', countsSchema),
  isolation: field(
    'How far agents and programs were kept apart from the machine. Absent where nothing ran.',
    runIsolationSchema,
  ),
  environment: required(
    'The machine.',
    z.strictObject({
      os: required('The operating system.', text),
      node: required('The version of Node.', text),
      workspace: field('Where the workspaces of failed entries are.', text),
      env_vars: field('Whether variables are set, by their names. Never the values.', z.record(text, z.boolean())),
    }),
  ),
  shard: field(
    'Which part of the run this is.',
    z.strictObject({
      index: required('The number of the part, from 1.', count),
      count: required('How many parts there are.', count),
      cut: required('The same for all shards that were divided in the same way.', text),
      places: required('Where its entries stand in the plan, so that a merged run has them in order.', z.array(count)),
    }),
  ),
  strict: field('true: a skipped entry fails the run.', z.boolean()),
  agents: field('The agents that the run used or wanted to use.', z.array(agentStateSchema)),
  orchestrator: field('The program under test of `understudy e2e`.', suiteSection('orchestrator')),
  entries: required('What was played: rehearsals and cases.', z.array(entryResultSchema)),
  patterns: field('What several failed entries have in common.', z.array(patternSchema)),
  rationalizations: field('What agents said instead of doing it.', z.array(rationalizationSchema)),
  loopholes: field('Ways to pass without doing the work.', z.array(loopholeSchema)),
  recommendations: field('What to do, the most urgent first.', z.array(recommendationSchema)),
  quick_fix_commands: field(
    'Commands that help at once.',
    z.array(
      z.strictObject({
        description: required('What the command does.', text),
        command: required('The command line.', text),
      }),
    ),
  ),
  artifacts: field(
    'Files that the run wrote.',
    z.array(
      z.strictObject({ path: required('The path of the file.', text), description: required('What is in it.', text) }),
    ),
  ),
  analysis: field('The analysis of the run by an agent.', analysisSchema),
});

export type Counts = z.infer<typeof countsSchema>;
export type AgentState = z.infer<typeof agentStateSchema>;
export type RunResult = z.infer<typeof runResultSchema>;
