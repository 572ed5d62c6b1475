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
  description: text,
  confidence: share,
  file_to_modify: z.optional(text),
  suggested_change: z.optional(text),
});

/** Why an entry failed, as far as one can tell. */
export const diagnosisSchema = z.strictObject({
  failure_type: z.enum(failureTypes),
  root_cause_hypothesis: text,
  evidence: texts,
  /** Other entries that failed in the same way, by id. */
  similar_failures: texts,
  suggested_investigations: texts,
  potential_fixes: z.array(potentialFixSchema),
  source,
});

export const warningSchema = z.strictObject({ category: z.enum(warningCategories), message: text, evidence: text });

export const optimizationSchema = z.strictObject({
  category: text,
  description: text,
  potential_improvement: text,
  suggested_change: z.optional(text),
});

const metricsSchema = z.strictObject({
  duration_ms: z.number(),
  /** What is expected at most on its stage. */
  duration_expected_ms: z.number(),
  iterations_used: count,
  iterations_expected: count,
  /** Output tokens, where the agent reports them. */
  tokens_estimated: z.optional(count),
  events_emitted: count,
  tool_calls: count,
  /** Iterations that failed before one succeeded. */
  retries_needed: count,
});

/** How well a passed entry passed. */
export const qualitySchema = z.strictObject({
  quality_score: z.enum(qualityScores),
  metrics: metricsSchema,
  warnings: z.array(warningSchema),
  optimizations: z.array(optimizationSchema),
  source,
});

/** A variant without the thing under test. It must be red. */
export const baselineSchema = z.strictObject({
  condition: text,
  expected_failure: text,
  why_it_matters: text,
  red: z.boolean(),
  /** The checks that should have failed and did not. */
  still_green: texts,
});

/** What an entry of the orchestrator suite adds. */
export const caseSectionSchema = z.strictObject({
  /** The case, whatever the agent. */
  id: text,
  expected_iterations: count,
  pressure_factors: z.array(z.strictObject({ name: text, description: text, why_pressure: text })),
  quality_criteria: z.array(z.strictObject({ name: text, optimal: text, acceptable: text, concerning: text })),
});

export const patternSchema = z.strictObject({
  description: text,
  affected_tests: texts,
  suggested_fix: z.optional(text),
});

export const rationalizationSchema = z.strictObject({ test: text, rationalization: text, reality: text, action: text });

export const loopholeSchema = z.strictObject({
  title: text,
  pattern: text,
  evidence: texts,
  affected_tests: texts,
  suggested_counter: text,
  new_test: z.optional(text),
});

export const recommendationSchema = z.strictObject({
  severity: z.enum(severities),
  /** prompt, config, backend, event, memory, optimization, harness … */
  category: text,
  title: text,
  description: text,
  affected_tests: texts,
  suggested_fix: z.optional(text),
});

/** The analysis by an agent. */
export const analysisSchema = z.strictObject({
  status: z.enum(['merged', 'skipped', 'failed']),
  /** Why it was skipped, what was wrong with the answer, or what of it was left out. */
  detail: text,
  problems: texts,
});

export type CaseSection = z.infer<typeof caseSectionSchema>;
export type Baseline = z.infer<typeof baselineSchema>;
export type Diagnosis = z.infer<typeof diagnosisSchema>;
export type Quality = z.infer<typeof qualitySchema>;
export type Metrics = z.infer<typeof metricsSchema>;
export type Recommendation = z.infer<typeof recommendationSchema>;
