import * as z from 'zod';
import { checkResultSchema } from '../checks/result.js';

/** What became of a step: its checks, and the conversation around it. */
export const stepResultSchema = z.object({
  /** From 1, as people count. */
  number: z.int(),
  name: z.string().optional(),
  send: z.string(),
  /** Not reached because an earlier step ended the conversation. */
  reached: z.boolean(),
  said: z.string(),
  checks: z.array(checkResultSchema),
  milliseconds: z.number(),
});

export const rehearsalResultSchema = z.object({
  file: z.string(),
  name: z.string(),
  agent: z.string(),
  stage: z.string(),
  /** From 1; more than 1 with `--repeat`. */
  round: z.int(),
  /** `error`: the harness could not do its job. `flaky`: it failed, and passed when tried again. */
  status: z.enum(['passed', 'failed', 'flaky', 'skipped', 'error']),
  steps: z.array(stepResultSchema),
  /** What holds for the whole: rules that were never used, requests that nothing answered. */
  checks: z.array(checkResultSchema),
  error: z.object({ code: z.string(), message: z.string(), fix: z.string().optional() }).optional(),
  /** Why it was skipped. */
  reason: z.string().optional(),
  attempts: z.int(),
  milliseconds: z.number(),
  /** Kept for a look: the project, and the log of events. */
  artifacts: z.string().optional(),
});

export const runResultSchema = z.object({
  ok: z.boolean(),
  passed: z.int(),
  failed: z.int(),
  flaky: z.int(),
  skipped: z.int(),
  errors: z.int(),
  /** Rehearsals that an interruption kept from being run, or from ending. */
  interrupted: z.int(),
  milliseconds: z.number(),
  rehearsals: z.array(rehearsalResultSchema),
});

export type StepResult = z.infer<typeof stepResultSchema>;
export type RehearsalResult = z.infer<typeof rehearsalResultSchema>;
export type RunResult = z.infer<typeof runResultSchema>;

/** Adds the rehearsals of a run up. A run in which nothing passed, or that was cut short, is not ok. */
export function summarise(rehearsals: RehearsalResult[], milliseconds: number, interrupted = 0): RunResult {
  const count = (status: RehearsalResult['status']) => rehearsals.filter((result) => result.status === status).length;
  const [passed, failed, flaky, errors] = [count('passed'), count('failed'), count('flaky'), count('error')];
  return {
    ok: failed === 0 && errors === 0 && interrupted === 0 && passed + flaky > 0,
    passed,
    failed,
    flaky,
    skipped: count('skipped'),
    errors,
    interrupted,
    milliseconds,
    rehearsals,
  };
}

/** 0 all passed, 1 something failed, 2 the harness could not do its job, or nothing ran. */
export function exitCodeOf({ errors, failed, passed, flaky }: RunResult): number {
  if (errors > 0) return 2;
  if (failed > 0) return 1;
  return passed + flaky > 0 ? 0 : 2;
}
