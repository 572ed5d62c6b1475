import { field, required } from '@understudy/kit';
import * as z from 'zod/mini';

const text = z.string();
const texts = z.array(text);
const count = z.int().check(z.nonnegative());
const share = z.number().check(z.minimum(0), z.maximum(1));

/** What can go wrong: with a program that calls agents, with a conversation, with the test itself. */
export const failureTypes = [
  'BackendError',
  'PromptIneffective',
  'EventMissing',
  'EventMalformed',
  'TimeoutExceeded',
  'UnexpectedTermination',
  'AssertionMismatch',
  'ConfigurationError',
  'AuthenticationError',
  'UnknownCommand',
  'PluginLoadError',
  'HookMismatch',
  'ToolNotUsed',
  'WorkflowStuck',
  'ChangeMissing',
  'RequestUnanswered',
  'StandInRefused',
  'RuleUnused',
  'TriedOutside',
  'NotJudged',
  'HarnessError',
  'BaselineGreen',
  'Unknown',
] as const;

export const qualityScores = ['Optimal', 'Good', 'Acceptable', 'Suboptimal'] as const;

export const warningCategories = [
  'SlowExecution',
  'ExcessiveIterations',
  'PromptStruggle',
  'UnexpectedOutput',
  'DeprecationUsed',
  'ResourceIntensive',
] as const;

export const severities = ['Critical', 'Warning', 'Info'] as const;

/** Who concluded it: the rules of this program, or the agent that was asked to analyze the run. */
const source = z.enum(['rules', 'agent']);

export const potentialFixSchema = z.strictObject({
  description: required('What to change.', text),
  confidence: required('How sure it is: 0 is a guess, 1 was seen.', share),
  file_to_modify: field('The file to change.', text),
  suggested_change: field('The change, in words or code.', text),
});

/** Why an entry failed, as far as one can tell. */
export const diagnosisSchema = z.strictObject({
  failure_type: required('The kind of failure.', z.enum(failureTypes)),
  root_cause_hypothesis: required('What went wrong, and why.', text),
  evidence: required('What shows it.', texts),
  similar_failures: required('Other entries that failed in the same way, by id.', texts),
  suggested_investigations: required('What to look at next.', texts),
  potential_fixes: required('What could be changed, the most likely first.', z.array(potentialFixSchema)),
  source: required('Who concluded it: the rules of Understudy, or an agent.', source),
});

export const warningSchema = z.strictObject({
  category: required('The kind of warning.', z.enum(warningCategories)),
  message: required('What is not as it should be.', text),
  evidence: required('What shows it.', text),
});

export const optimizationSchema = z.strictObject({
  category: required('What it is about, such as prompt or config.', text),
  description: required('What could be better.', text),
  potential_improvement: required('What that would gain.', text),
  suggested_change: field('How to do it.', text),
});

const metricsSchema = z.strictObject({
  duration_ms: required('Milliseconds that it took.', z.number()),
  duration_expected_ms: required('Milliseconds that are expected at most on its stage.', z.number()),
  iterations_used: required('How many iterations there were.', count),
  iterations_expected: required('How many iterations are expected.', count),
  tokens_estimated: field('Tokens that the model wrote, where the agent reports them.', count),
  events_emitted: required('How many events were published.', count),
  tool_calls: required('How many tools were called.', count),
  retries_needed: required('Iterations that failed before one succeeded.', count),
});

/** How well a passed entry passed. */
export const qualitySchema = z.strictObject({
  quality_score: required('How well it passed, in a word.', z.enum(qualityScores)),
  metrics: required('What was measured.', metricsSchema),
  warnings: required('What is not as it should be although it passed.', z.array(warningSchema)),
  optimizations: required('What could be better.', z.array(optimizationSchema)),
  source: required('Who concluded it: the rules of Understudy, or an agent.', source),
});

/** A variant without the thing under test. It must be red. */
export const baselineSchema = z.strictObject({
  condition: required('What is left out.', text),
  expected_failure: required('What should fail without it.', text),
  why_it_matters: required('What the baseline proves.', text),
  red: required('Whether it failed as it should.', z.boolean()),
  still_green: required('The checks that should have failed and did not.', texts),
});

/** What an entry of the orchestrator suite adds. */
export const caseSectionSchema = z.strictObject({
  id: required('The case, whatever the agent.', text),
  expected_iterations: required('How many iterations the case needs.', count),
  pressure_factors: required(
    'What makes the work hard.',
    z.array(
      z.strictObject({
        name: required('The name of the pressure.', text),
        description: required('How the case makes it.', text),
        why_pressure: required('What it may lead to.', text),
      }),
    ),
  ),
  quality_criteria: required(
    'What distinguishes a good pass from a poor one.',
    z.array(
      z.strictObject({
        name: required('The name of the criterion.', text),
        optimal: required('How a very good pass looks.', text),
        acceptable: required('How a good pass looks.', text),
        concerning: required('How a poor pass looks.', text),
      }),
    ),
  ),
});

export const patternSchema = z.strictObject({
  description: required('What the entries share.', text),
  affected_tests: required('The entries, by id.', texts),
  suggested_fix: field('One fix for all.', text),
});

export const rationalizationSchema = z.strictObject({
  test: required('The entry, by id.', text),
  rationalization: required('The words of the agent.', text),
  reality: required('What it did instead.', text),
  action: required('How to make the excuse useless.', text),
});

export const loopholeSchema = z.strictObject({
  title: required('The way to pass without the work, in a few words.', text),
  pattern: required('How agents use it.', text),
  evidence: required('Where it was seen.', texts),
  affected_tests: required('The entries, by id.', texts),
  suggested_counter: required('The check or instruction that closes it.', text),
  new_test: field('A name for the test that is missing.', text),
});

export const recommendationSchema = z.strictObject({
  severity: required('How urgent it is.', z.enum(severities)),
  category: required('What it is about: prompt, config, backend, event, memory, optimization, harness …', text),
  title: required('What to do, in a few words.', text),
  description: required('Why, and how.', text),
  affected_tests: required('The entries, by id.', texts),
  suggested_fix: field('The first step.', text),
});

/** The analysis by an agent. */
export const analysisSchema = z.strictObject({
  status: required(
    'merged: its findings are in this result. Otherwise `detail` says why not.',
    z.enum(['merged', 'skipped', 'failed']),
  ),
  detail: required('Why it was skipped, what was wrong with the answer, or what of it was left out.', text),
  problems: required('What was wrong with the answer, one by one.', texts),
});

export type CaseSection = z.infer<typeof caseSectionSchema>;
export type Baseline = z.infer<typeof baselineSchema>;
export type Diagnosis = z.infer<typeof diagnosisSchema>;
export type Quality = z.infer<typeof qualitySchema>;
export type Metrics = z.infer<typeof metricsSchema>;
export type Recommendation = z.infer<typeof recommendationSchema>;
