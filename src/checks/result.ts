import * as z from 'zod';

/** What a check is about. Reports group by it. */
export const checkCategorySchema = z.enum([
  'text',
  'commands',
  'workflow',
  'tools',
  'hooks',
  'permissions',
  'plugins',
  'files',
  'git',
  'budget',
  'outcome',
  'script',
]);

/** The verdict of one check, with enough to see why. Checks may add fields of their own. */
export const checkResultSchema = z.object({
  check: z.string(),
  category: checkCategorySchema,
  passed: z.boolean(),
  expected: z.string(),
  actual: z.string(),
  /** Pieces of what was observed, each with what it is evidence of. */
  evidence: z.array(z.string()),
  suggestion: z.string().optional(),
});

export type CheckResult = z.infer<typeof checkResultSchema>;
