import * as z from 'zod/mini';
import { backends, stageNames, tiers } from '../orchestrators/case.js';

const text = z.string();
const texts = z.array(text);
const count = z.int().check(z.nonnegative());
const share = z.number().check(z.minimum(0), z.maximum(1));

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

export const potentialFixSchema = z.strictObject({
  description: text,
  confidence: share,
  file_to_modify: z.optional(text),
  suggested_change: z.optional(text),
});

/** Why a case failed, as far as one can tell. */
export const diagnosisSchema = z.strictObject({
  failure_type: z.enum(failureTypes),
  root_cause_hypothesis: text,
  evidence: texts,
  /** Other cases that failed in the same way. */
  similar_failures: texts,
  suggested_investigations: texts,
  potential_fixes: z.array(potentialFixSchema),
  /** The rules of this program, or the agent that was asked to analyse the run. */
  source: z.enum(['rules', 'agent']),
});

export const warningSchema = z.strictObject({ category: z.enum(warningCategories), message: text, evidence: text });

export const optimizationSchema = z.strictObject({
  category: text,
  description: text,
  potential_improvement: text,
  suggested_change: z.optional(text),
});

export const metricsSchema = z.strictObject({
  duration_seconds: z.number(),
  iterations_used: count,
  iterations_expected: count,
  /** Output tokens, where the agent reports them. */
  tokens_estimated: z.optional(count),
  events_emitted: count,
  tool_calls: count,
  /** Iterations that failed before one succeeded. */
  retries_needed: count,
});

/** How well a passed case passed. */
export const passedAnalysisSchema = z.strictObject({
  quality_score: z.enum(qualityScores),
  metrics: metricsSchema,
  warnings: z.array(warningSchema),
  optimizations: z.array(optimizationSchema),
  source: z.enum(['rules', 'agent']),
});

export const assertionSchema = z.strictObject({
  name: text,
  category: text,
  passed: z.boolean(),
  expected: text,
  actual: text,
  diff: z.optional(text),
  suggestion: z.optional(text),
});

const eventSchema = z.strictObject({
  topic: text,
  payload: text,
  timestamp: text,
  source_hat: z.optional(text),
  target: z.optional(text),
});

const iterationSchema = z.strictObject({
  iteration: count,
  hat: text,
  backend: text,
  command: text,
  prompt: text,
  output: z.optional(text),
  stderr: z.optional(text),
  exit_code: z.optional(z.nullable(z.int())),
  failed: z.optional(z.boolean()),
  duration_seconds: z.optional(z.number()),
  tool_calls: z.optional(count),
  output_tokens: z.optional(count),
});

/** Everything that was seen of a case, secrets taken out, long texts cut. */
export const contextSchema = z.strictObject({
  config_yaml: text,
  prompt_content: text,
  command_line: text,
  exit_code: z.nullable(z.int()),
  timed_out: z.boolean(),
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

export const resultSchema = z.strictObject({
  /** The case on its backend: `hat-single@claude`. */
  scenario_id: text,
  case_id: text,
  scenario_description: text,
  backend: z.enum(backends),
  tier: z.enum(tiers),
  status: z.enum(['passed', 'failed', 'skipped']),
  passed: z.boolean(),
  /** Why it was skipped, or what kept the harness from running it. */
  reason: z.optional(text),
  harness_error: z.boolean(),
  duration_seconds: z.number(),
  assertions: z.array(assertionSchema),
  /** Variants without the thing under test; each must be red. */
  baselines: z.array(
    z.strictObject({
      condition: text,
      expected_failure: text,
      why_it_matters: text,
      red: z.boolean(),
      /** The assertions that should have failed and did not. */
      still_green: texts,
    }),
  ),
  pressure_factors: z.array(z.strictObject({ name: text, description: text, why_pressure: text })),
  quality_criteria: z.array(z.strictObject({ name: text, optimal: text, acceptable: text, concerning: text })),
  context: z.optional(contextSchema),
  diagnosis: z.optional(diagnosisSchema),
  analysis: z.optional(passedAnalysisSchema),
});

const countsSchema = z.strictObject({ total: count, passed: count, failed: count, skipped: count });

export const patternSchema = z.strictObject({
  description: text,
  affected_tests: texts,
  suggested_fix: z.optional(text),
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

/** report.json. */
export const reportSchema = z.strictObject({
  schema_version: z.literal(1),
  timestamp: text,
  duration_seconds: z.number(),
  understudy_version: text,
  ralph_version: text,
  orchestrator: z.strictObject({ kind: z.enum(['ralph', 'reference']), version: text, command: text }),
  stage: z.enum(stageNames),
  /** Every case that was asked for passed, and there was at least one. */
  passed: z.boolean(),
  verdict: text,
  exit_code: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  backends_tested: z.array(
    z.strictObject({
      backend: z.enum(backends),
      version: z.nullable(text),
      available: z.boolean(),
      authenticated: z.boolean(),
      /** How it was found out, or why it is not so. */
      detail: text,
    }),
  ),
  environment: z.strictObject({
    os: text,
    node: text,
    ralph_binary: text,
    workspace: text,
    /** Set or not set. Never the values. */
    env_vars: z.record(text, z.boolean()),
  }),
  summary: z.strictObject({
    ...countsSchema.shape,
    by_tier: z.record(text, countsSchema),
    by_backend: z.record(text, countsSchema),
    failures_by_category: z.record(text, count),
    quality_breakdown: z.strictObject({ optimal: count, good: count, acceptable: count, suboptimal: count }),
  }),
  results: z.array(resultSchema),
  patterns: z.array(patternSchema),
  /** What agents said instead of doing it. */
  rationalizations: z.array(z.strictObject({ test: text, rationalization: text, reality: text, action: text })),
  loopholes: z.array(
    z.strictObject({
      title: text,
      pattern: text,
      evidence: texts,
      suggested_counter: text,
      new_test: z.optional(text),
    }),
  ),
  recommendations: z.array(recommendationSchema),
  quick_fix_commands: z.array(z.strictObject({ description: text, command: text })),
  artifacts: z.array(z.strictObject({ path: text, description: text })),
  /** The analysis by an agent. */
  meta_analysis: z.strictObject({
    status: z.enum(['merged', 'skipped', 'failed']),
    /** Why it was skipped, what was wrong with the answer, or what of it was left out. */
    detail: text,
    problems: texts,
  }),
});

export type SuiteReport = z.output<typeof reportSchema>;
export type ReportedResult = z.output<typeof resultSchema>;
export type ReportedContext = z.output<typeof contextSchema>;
export type Diagnosis = z.output<typeof diagnosisSchema>;
export type PassedAnalysis = z.output<typeof passedAnalysisSchema>;
export type Metrics = z.output<typeof metricsSchema>;
export type Recommendation = z.output<typeof recommendationSchema>;
