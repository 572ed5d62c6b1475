import { field, required } from '@understudy/kit';
import * as z from 'zod/mini';
import { type CheckResult, checkResultSchema } from '../checks/result.js';
import { isolationSchema } from './isolation.js';
import { baselineSchema, caseSectionSchema, diagnosisSchema, qualitySchema } from './sections.js';
import { suiteSection } from './suite-sections.js';
import { witnessesSchema } from './witnesses.js';

/** What is wrong with a file, and where. */
const problemSchema = z.strictObject({
  code: required('The code of the error, which does not change.', z.string()),
  message: required('What is wrong, in a sentence.', z.string()),
  fix: field('How to fix it.', z.string()),
  new_name: field('The name that the field must have, where that is certain.', z.string()),
  path: required('The address inside the document, such as responses[2].pattern.', z.string()),
  location: required(
    'Where it stands. Lines and columns count from 1.',
    z.strictObject({
      file: field('The file.', z.string()),
      line: field('The line.', z.int()),
      column: field('The column.', z.int()),
      path: field('The field, where the file is a module, and its line is not known.', z.string()),
    }),
  ),
  frame: field('The lines around the location.', z.string()),
});

/** What became of a step: its checks, and the conversation around it. */
const stepResultSchema = z.strictObject({
  number: required('The number of the step, from 1.', z.int()),
  name: field('The name of the step.', z.string()),
  send: required('What the user sent, or the command that was run.', z.string()),
  run: field(
    'Of a step that runs a program: how it ended, and what it called.',
    z.strictObject({
      code: required('The code with which the program ended; null after a signal.', z.nullable(z.int())),
      signal: required('The signal that ended the program, or null.', z.nullable(z.string())),
      calls: required(
        'The agents that the program called.',
        z.array(
          z.strictObject({
            number: required('The number of the call, from 1.', z.int()),
            agent: required('The agent; of a program that asks the model itself, the API that it uses.', z.string()),
            prompt: required('What was asked.', z.string()),
            code: field('The code with which the agent ended; null after a signal.', z.nullable(z.int())),
          }),
        ),
      ),
    }),
  ),
  reached: required('false: an earlier step ended the conversation.', z.boolean()),
  said: required('What the agent said, or the program printed.', z.string()),
  tools: field('The tool calls of the turn, each in a line: Glob {"pattern":"*.py"} → ok.', z.array(z.string())),
  workflow: field(
    'How the workflow moved in the turn.',
    z.array(
      z.strictObject({
        from: required('The stage before the move.', z.string()),
        to: required('The stage after the move.', z.string()),
      }),
    ),
  ),
  outcome: field('How the turn ended: completed, failed, interrupted, timed_out, died.', z.string()),
  reason: field('Why the turn did not complete, such as unknown_command.', z.string()),
  checks: required('The checks of the step.', z.array(checkResultSchema)),
  duration_ms: required('Milliseconds that the step took.', z.number()),
});

const entryStatusSchema = z.enum([
  'passed',
  'failed',
  'unjudged',
  'flaky',
  'expected_failure',
  'skipped',
  'error',
  'interrupted',
]);

/** The 95 % interval of a share. */
const interval = {
  low: required('The lower end of the 95 % interval of the share that passes.', z.number()),
  high: required('The upper end of that interval.', z.number()),
};

/** One rehearsal or case on one agent and one stage. */
export const entryResultSchema = z.strictObject({
  id: required('The id of the entry, the same from one run to the next.', z.string()),
  kind: required('What was played: a rehearsal, or a case of the orchestrator suite.', z.enum(['rehearsal', 'case'])),
  name: required('The name of the entry.', z.string()),
  description: field('What the entry is for.', z.string()),
  file: field('The file that it was read from.', z.string()),
  tags: required('The words by which it can be chosen.', z.array(z.string())),
  group: field('The title below which reports show it.', z.string()),
  agent: required('The agent that played it.', z.string()),
  model: field('The model with which the agent was started, where it is not its usual one.', z.string()),
  stage: required('The stage on which it was played: sim, scripted, replay, live.', z.string()),
  target: field('The target of understudy.toml by which it was played.', z.string()),
  round: required('The number of the round, from 1; more than 1 with --repeat.', z.int()),
  status: required(
    'What became of it. unjudged: nothing failed, but a check could not be made. error: the harness could not do its job. flaky: it failed, and passed when it was tried again. expected_failure: it failed, as its file says that it does.',
    entryStatusSchema,
  ),
  isolation: field(
    'How far agents and programs were kept apart from the machine. Absent where nothing ran.',
    isolationSchema,
  ),
  witnesses: field('Who saw what it is judged by.', witnessesSchema),
  reason: field('Why it was skipped or interrupted, or is expected to fail.', z.string()),
  error: field(
    'What kept the harness from doing its job.',
    z.strictObject({
      code: required('The code of the error, which does not change.', z.string()),
      message: required('What is wrong, in a sentence.', z.string()),
      fix: field('How to fix it.', z.string()),
      problems: field('Of a file that cannot be loaded: everything that is wrong with it.', z.array(problemSchema)),
    }),
  ),
  steps: required('The steps, in order.', z.array(stepResultSchema)),
  checks: required(
    'Checks of the whole: rules that were never used, requests that nothing answered; all checks of a case.',
    z.array(checkResultSchema),
  ),
  workflow: field(
    'The workflow that it follows.',
    z.strictObject({
      initial: required('The stage in which the workflow begins.', z.string()),
      stages: required('The stages, by name.', z.array(z.string())),
      transitions: required(
        'The moves that the workflow allows.',
        z.array(
          z.strictObject({
            from: required('The stage before the move.', z.string()),
            to: required('The stage after the move.', z.string()),
          }),
        ),
      ),
    }),
  ),
  usage: field(
    'What it used, as far as the agents report it.',
    z.strictObject({
      calls: required('Calls of agents; each turn of a conversation is one.', z.int()),
      input_tokens: field('Tokens that the model read.', z.number()),
      output_tokens: field('Tokens that the model wrote.', z.number()),
      cost_usd: field('What it cost, in dollars.', z.number()),
    }),
  ),
  rate: field(
    'How often it passed on a real model, which may miss it now and then.',
    z.strictObject({
      passed: required('How many runs passed.', z.int()),
      runs: required('How many runs there were.', z.int()),
      threshold: required('The share that must pass.', z.number()),
      ...interval,
    }),
  ),
  without: field(
    'How often the same passed without the thing under test, such as a plugin. It decides nothing.',
    z.strictObject({
      what: required('What was left out.', z.string()),
      passed: required('How many runs passed.', z.int()),
      runs: required('How many runs there were.', z.int()),
      ...interval,
    }),
  ),
  attempts: required('How often it was tried.', z.int()),
  duration_ms: required('Milliseconds that it took.', z.number()),
  artifacts: field('The folder with its project, events and requests, where it was kept.', z.string()),
  logs: field('The folder with its event logs, from the folder in which this document was stored.', z.string()),
  rerun: required('The command that runs it again.', z.string()),
  case: field('What only a case of the orchestrator suite has.', caseSectionSchema),
  baselines: field('Variants without the thing under test. Each must be red.', z.array(baselineSchema)),
  context: field('Everything that was seen of a program that calls agents.', suiteSection('context')),
  diagnosis: field('Why it failed, as far as that is known.', diagnosisSchema),
  quality: field('How well it passed.', qualitySchema),
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
