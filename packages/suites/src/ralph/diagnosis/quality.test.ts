import { expect, it } from 'vitest';
import { sampleContext, sampleIteration } from '../../../../../test/helpers/sample-results.js';
import type { ProgramContext, ProgramIteration } from '../../orchestrators/context-schema.js';
import { judgeQuality, measure } from './quality.js';

const iteration = (number: number, parts: Partial<ProgramIteration> = {}): ProgramIteration =>
  sampleIteration({ iteration: number, hat: 'ralph', tool_calls: 1, ...parts });
const times = (count: number) => Array.from({ length: count }, (_, index) => iteration(index + 1));
const judged = (context: Partial<ProgramContext>, seconds = 1, expected = 1) =>
  judgeQuality(sampleContext({ duration_ms: seconds * 1000, ...context }), expected, 'sim');
const categories = (quality: ReturnType<typeof judged>) => quality.warnings.map(({ category }) => category);

it('measures what a run cost', () => {
  const failed = iteration(1, { failed: true, exit_code: 1, output_tokens: 10 });
  const context = sampleContext({ iterations: [failed, iteration(2, { output_tokens: 5, tool_calls: 3 })] });
  expect(measure(context, 2, 'sim')).toEqual({
    duration_ms: 1500,
    duration_expected_ms: 40_000,
    iterations_used: 2,
    iterations_expected: 2,
    tokens_estimated: 15,
    events_emitted: 0,
    tool_calls: 4,
    retries_needed: 1,
  });
});

it('knows no tokens where nobody told them, and no retries where nothing succeeded after them', () => {
  const context = sampleContext({ iterations: [iteration(1, { failed: true }), iteration(2, { failed: true })] });
  const metrics = measure(context, 2, 'sim');
  expect(metrics).not.toHaveProperty('tokens_estimated');
  expect(metrics.retries_needed).toBe(0);
});

it('is optimal within all expectations, retries that the case expects included', () => {
  expect(judged({ iterations: times(1) })).toMatchObject({ quality_score: 'Optimal', warnings: [], optimizations: [] });
  const recovered = [iteration(1, { failed: true }), iteration(2)];
  expect(judged({ iterations: recovered }, 1, 2).quality_score).toBe('Optimal');
  expect(judged({ iterations: [] }, 1, 0).quality_score).toBe('Optimal');
});

it('warns of more iterations than expected, the more the worse', () => {
  const good = judged({ iterations: times(5) }, 1, 3);
  expect(good.quality_score).toBe('Good');
  expect(good.warnings[0]).toMatchObject({
    category: 'ExcessiveIterations',
    message: '5 iterations where 3 are expected',
    evidence: 'hats in order: ralph → ralph → ralph → ralph → ralph',
  });
  expect(good.optimizations[0]?.potential_improvement).toBe('3 iterations instead of 5');
  expect(judged({ iterations: times(7) }, 1, 3).quality_score).toBe('Acceptable');
});

it('calls it a struggle when attempts failed or were blocked on the way', () => {
  const failed = judged({ iterations: [iteration(1, { failed: true, stderr: 'no\nrate limit' }), iteration(2)] });
  expect(failed.warnings[0]).toMatchObject({
    category: 'PromptStruggle',
    message: '2 iterations where 1 are expected, 1 of them failed',
    evidence: 'iteration 1 failed: "rate limit"',
  });
  const event = { topic: 'build.blocked', payload: 'lint is missing', timestamp: 't' };
  expect(judged({ iterations: times(2), events_emitted: [event] }).warnings[0]?.evidence).toBe(
    'build.blocked: "lint is missing"',
  );
});

it('warns of slowness only far beyond what a loaded machine needs', () => {
  expect(judged({ iterations: times(1) }, 30).quality_score).toBe('Optimal');
  const slow = judged({ iterations: [iteration(1, { duration_ms: 40_000 })] }, 45);
  expect(slow.warnings).toEqual([
    {
      category: 'SlowExecution',
      message: '45.0 s where at most 30.0 s are expected on the stage sim',
      evidence: 'the longest iteration is 1 (ralph on claude): 40.0 s',
    },
  ]);
  const slower = sampleContext({ iterations: times(1), duration_ms: 45_000 });
  expect(judgeQuality(slower, 1, 'scripted').quality_score).toBe('Optimal');
  expect(judgeQuality(slower, 1, 'live').quality_score).toBe('Optimal');
});

it('warns of many tool calls and many tokens', () => {
  expect(categories(judged({ iterations: [iteration(1, { tool_calls: 26 })] }))).toEqual(['ResourceIntensive']);
  expect(categories(judged({ iterations: [iteration(1, { tool_calls: 25 })] }))).toEqual([]);
  expect(categories(judged({ iterations: [iteration(1, { output_tokens: 16_001 })] }))).toEqual(['ResourceIntensive']);
  expect(categories(judged({ iterations: [iteration(1, { output_tokens: 16_000 })] }))).toEqual([]);
});

it('warns of a crash or a deprecation on stderr, and not of an agent that writes about them', () => {
  const crash = judged({ iterations: times(1), stderr: "thread 'main' panicked at src/x.rs" });
  expect(crash).toMatchObject({ quality_score: 'Acceptable', warnings: [{ category: 'UnexpectedOutput' }] });
  const old = judged({ iterations: times(1), stderr: 'warning: `ralph memory` is deprecated' });
  expect(old.warnings).toMatchObject([
    { category: 'DeprecationUsed', evidence: '"warning: `ralph memory` is deprecated"' },
  ]);
  expect(judged({ iterations: times(1), stdout: 'it panicked at the deprecated call' }).warnings).toEqual([]);
});

it('is suboptimal when much comes together', () => {
  expect(judged({ iterations: times(3), stderr: 'deprecated' }).quality_score).toBe('Suboptimal');
});
