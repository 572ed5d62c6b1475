import { relative, resolve } from 'node:path';
import { defined, inWords, UnderstudyError } from '@understudy/kit';
import { type CheckResult, statusOf } from '@understudy/verdict';
import * as z from 'zod/mini';
import type { EvalCase } from './find-evals.js';

const runSchema = z.object({
  score: z.number(),
  passed: z.boolean(),
  turns: z.number(),
  costUsd: z.optional(z.number()),
  judgeCostUsd: z.optional(z.number()),
  error: z.unknown(),
  graders: z.array(
    z.object({
      name: z.string(),
      passed: z.boolean(),
      explanation: z.optional(z.string()),
      scored: z.optional(z.boolean()),
    }),
  ),
});

/** What `claude plugin eval --json` writes, as far as we read it. */
const resultSchema = z.object({
  cases: z.array(
    z.object({
      name: z.string(),
      dir: z.string(),
      arms: z.object({ with: z.array(runSchema), without: z.optional(z.array(runSchema)) }),
    }),
  ),
});

export type EvalRun = z.infer<typeof runSchema>;

/** The runs of one case. */
export interface EvalArms {
  /** With the plugin. */
  with: EvalRun;
  /** The same prompt without the plugin. */
  without?: EvalRun;
}

/** The runs of a case; undefined when the CLI could not load it. */
export function readArms(result: unknown, { plugin, folder }: EvalCase): EvalArms | undefined {
  const read = resultSchema.safeParse(result, inWords);
  if (!read.success) {
    throw new UnderstudyError('EVAL_UNREADABLE', 'the result of `claude plugin eval` is not as expected', {
      cause: read.error,
    });
  }
  const dir = relative(resolve(plugin), resolve(folder));
  const arms = read.data.cases.find((one) => one.dir === dir)?.arms;
  const [own] = arms?.with ?? [];
  const [without] = arms?.without ?? [];
  if (own === undefined) return undefined;
  return { with: own, ...defined({ without }) };
}

/** A scripted model has no opinion: what is checked is that the case loads and runs to its end. */
export function scriptedChecks(arms: EvalArms | undefined, complaint: string): CheckResult[] {
  const loads = check(
    'the case loads',
    'Claude Code reads the case',
    arms !== undefined,
    complaint || 'it is not listed',
  );
  if (arms === undefined) return [loads];
  const problems = Object.entries({ with: arms.with, without: arms.without })
    .filter(([, run]) => run !== undefined && problemOf(run) !== undefined)
    .map(([arm, run]) => `${arm} the plugin: ${run === undefined ? '' : problemOf(run)}`);
  return [loads, check('the case runs', 'both arms run to their end', problems.length === 0, problems.join('; '))];
}

/** What the graders say of the arm with the plugin. What is not scored only shows whether the plugin was used. */
export function liveChecks({ with: own, without }: EvalArms): CheckResult[] {
  const problem = problemOf(own) ?? (without === undefined ? undefined : problemOf(without));
  // A rate limit or a fault of the harness says nothing about the plugin.
  if (problem !== undefined) throw new UnderstudyError('EVAL_NOT_RUN', `the case did not run to its end: ${problem}`);
  const baseline =
    without === undefined
      ? []
      : [`without the plugin: ${without.passed ? 'passed' : 'failed'}, score ${without.score} (with it: ${own.score})`];
  return own.graders
    .filter(({ scored }) => scored !== false)
    .map(({ name, passed, explanation = '' }) => ({
      ...check(`grader ${name}`, 'the grader passes', passed, explanation),
      evidence: baseline,
    }));
}

function problemOf({ error }: EvalRun): string | undefined {
  if (error === null || error === undefined) return undefined;
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function check(name: string, expected: string, passed: boolean, otherwise: string): CheckResult {
  return {
    ...{ name, expected, category: 'custom', subject: { kind: 'condition' }, evidence: [] },
    status: statusOf(passed),
    actual: passed ? 'it does' : otherwise,
  };
}
