import type { Metrics, Quality } from '@understudy/verdict';
import { lastLines, linesFrom, quote, seconds } from '@understudy/verdict';
import type { ProgramContext } from '../../orchestrators/context-schema.js';

type Warning = Quality['warnings'][number];
type Optimization = Quality['optimizations'][number];

/** A warning, how much it weighs, and what could be better. */
interface Remark {
  warning: Warning;
  weight: 1 | 2;
  optimization?: Optimization;
}

/** How long a case may take before it counts as slow. Busy machines are slow, so this is generous. */
const PATIENCE_MS: Readonly<Record<string, { start: number; iteration: number }>> = {
  sim: { start: 20_000, iteration: 10_000 },
  scripted: { start: 60_000, iteration: 45_000 },
};
const LIVE_PATIENCE_MS = { start: 120_000, iteration: 180_000 };
const MANY_TOOL_CALLS = 25;
const MANY_TOKENS = 16_000;

/** What a run cost. */
export function measure(context: ProgramContext, expectedIterations: number, stage: string): Metrics {
  const { start, iteration } = PATIENCE_MS[stage] ?? LIVE_PATIENCE_MS;
  const { iterations } = context;
  const sum = (values: (number | undefined)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0);
  const lastSuccess = iterations.findLastIndex(({ failed }) => failed === false);
  const counted = iterations.some(({ output_tokens: tokens }) => tokens !== undefined);
  return {
    duration_ms: context.duration_ms,
    duration_expected_ms: start + iteration * expectedIterations,
    iterations_used: iterations.length,
    iterations_expected: expectedIterations,
    ...(counted ? { tokens_estimated: sum(iterations.map(({ output_tokens: tokens }) => tokens)) } : {}),
    events_emitted: context.events_emitted.length,
    tool_calls: sum(iterations.map(({ tool_calls: calls }) => calls)),
    retries_needed: iterations.slice(0, Math.max(0, lastSuccess)).filter(({ failed }) => failed === true).length,
  };
}

/** How well a case passed. */
export function judgeQuality(context: ProgramContext, expectedIterations: number, stage: string): Quality {
  const metrics = measure(context, expectedIterations, stage);
  const remarks = [
    tooManyIterations(metrics, context),
    tooSlow(metrics, context, stage),
    tooManyTools(metrics),
    tooManyTokens(metrics),
    oddOutput(context),
    deprecation(context),
  ].filter((remark) => remark !== undefined);
  const weight = remarks.reduce((total, remark) => total + remark.weight, 0);
  return {
    quality_score: weight === 0 ? 'Optimal' : weight === 1 ? 'Good' : weight === 2 ? 'Acceptable' : 'Suboptimal',
    metrics,
    warnings: remarks.map(({ warning }) => warning),
    optimizations: remarks.flatMap(({ optimization }) => optimization ?? []),
    source: 'rules',
  };
}

/** A little over weighs less than more than twice. */
function weightOf(actual: number, expected: number): Remark['weight'] {
  return actual > 2 * expected ? 2 : 1;
}

/** Failed attempts are a struggle. A case that expects failures has them in its expected iterations. */
function tooManyIterations(
  metrics: Metrics,
  { iterations, events_emitted: events }: ProgramContext,
): Remark | undefined {
  const { iterations_used: used, iterations_expected: expected, retries_needed: retries } = metrics;
  if (used <= expected) return undefined;
  const blocks = events.filter(({ topic }) => topic === 'build.blocked');
  const struggle = retries > 0 || blocks.length > 0;
  const failures = iterations
    .filter(({ failed }) => failed === true)
    .map(({ iteration, stderr }) => `iteration ${iteration} failed: ${quote(lastLines(stderr ?? '', 1))}`);
  const evidence = struggle
    ? [...failures, ...blocks.map(({ payload }) => `build.blocked: ${quote(payload)}`)].join('; ')
    : `hats in order: ${iterations.map(({ hat }) => hat ?? 'not recorded').join(' → ')}`;
  return {
    warning: {
      category: struggle ? 'PromptStruggle' : 'ExcessiveIterations',
      message: `${used} iterations where ${expected} are expected${retries > 0 ? `, ${retries} of them failed` : ''}`,
      evidence,
    },
    weight: weightOf(used, expected),
    optimization: {
      category: 'Iterations',
      description: struggle
        ? 'The agent needed more than one attempt at the same thing'
        : 'The agent went on longer than the task needs',
      potential_improvement: `${expected} iterations instead of ${used}`,
      suggested_change: struggle
        ? 'say in the prompt what the failed attempts were missing'
        : 'say in the prompt how to recognize that the work is done',
    },
  };
}

function tooSlow(metrics: Metrics, { iterations }: ProgramContext, stage: string): Remark | undefined {
  const { duration_ms: actual, duration_expected_ms: expected } = metrics;
  if (actual <= expected) return undefined;
  const [slowest] = [...iterations].sort((a, b) => (b.duration_ms ?? 0) - (a.duration_ms ?? 0));
  const known = slowest?.duration_ms;
  return {
    warning: {
      category: 'SlowExecution',
      message: `${seconds(actual)} where at most ${seconds(expected)} are expected on the stage ${stage}`,
      evidence:
        slowest === undefined || known === undefined
          ? 'the durations of the iterations are not recorded'
          : `the longest iteration is ${slowest.iteration} (${slowest.hat} on ${slowest.backend}): ${seconds(known)}`,
    },
    weight: weightOf(actual, expected),
  };
}

function tooManyTools({ tool_calls: calls, iterations_used: used }: Metrics): Remark | undefined {
  const most = MANY_TOOL_CALLS * Math.max(1, used);
  if (calls <= most) return undefined;
  return {
    warning: {
      category: 'ResourceIntensive',
      message: `${calls} tool calls in ${used} iteration(s)`,
      evidence: `more than ${MANY_TOOL_CALLS} per iteration`,
    },
    weight: weightOf(calls, most),
    optimization: {
      category: 'Tool calls',
      description: 'The agent uses more tools than the task needs',
      potential_improvement: 'fewer tool calls',
      suggested_change: 'name the files that matter in the prompt',
    },
  };
}

function tooManyTokens({ tokens_estimated: tokens = 0, iterations_used: used }: Metrics): Remark | undefined {
  const most = MANY_TOKENS * Math.max(1, used);
  if (tokens <= most) return undefined;
  return {
    warning: {
      category: 'ResourceIntensive',
      message: `${tokens} output tokens in ${used} iteration(s)`,
      evidence: `more than ${MANY_TOKENS} per iteration`,
    },
    weight: weightOf(tokens, most),
    optimization: {
      category: 'Tokens',
      description: 'The agent writes more than the task needs',
      potential_improvement: 'fewer output tokens',
      suggested_change: 'ask for short answers',
    },
  };
}

const CRASH =
  /panicked at|Traceback \(most recent call last\)|Unhandled\w*Rejection|Segmentation fault|stack overflow/i;

/** It passed, and still something crashed. Only the orchestrator's stderr counts: agents may write about crashes. */
function oddOutput({ stderr }: ProgramContext): Remark | undefined {
  const said = linesFrom(stderr, CRASH, 2);
  if (said === undefined) return undefined;
  return {
    warning: {
      category: 'UnexpectedOutput',
      message: 'the orchestrator reported a crash, although the case passed',
      evidence: quote(said),
    },
    weight: 2,
  };
}

function deprecation({ stderr }: ProgramContext): Remark | undefined {
  const said = linesFrom(stderr, /\bdeprecat/i);
  if (said === undefined) return undefined;
  return {
    warning: {
      category: 'DeprecationUsed',
      message: 'the orchestrator warned of something deprecated',
      evidence: quote(said),
    },
    weight: 1,
  };
}
