import * as z from 'zod/mini';
import { type CheckResult, statusOf } from '../result.js';

const sentence = z.string().check(z.minLength(1));

/** What a judge of a user found, as `Judgement` says it. */
export const judgementSchema = z.union([
  z.strictObject({
    passed: z.boolean(),
    expected: sentence,
    seen: z.string(),
    evidence: z.optional(z.array(z.string())),
    fix: z.optional(z.string()),
  }),
  z.strictObject({ unjudged: sentence, expected: sentence }),
]);

/** It as a check of ours. */
export function judgedAs(name: string, judgement: z.infer<typeof judgementSchema>): CheckResult {
  const base = { name, category: 'custom', subject: { kind: 'condition' }, expected: judgement.expected } as const;
  if ('unjudged' in judgement) return { ...base, status: 'unjudged', actual: judgement.unjudged, evidence: [] };
  const { passed, seen: actual, evidence = [], fix } = judgement;
  const suggestion = passed || fix === undefined ? {} : { suggestion: fix };
  return { ...base, status: statusOf(passed), actual, evidence, ...suggestion };
}
