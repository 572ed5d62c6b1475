import * as z from 'zod/mini';

/** What a check is about. Reports group by it. */
const checkCategorySchema = z.enum([
  'text',
  'commands',
  'workflow',
  'tools',
  'hooks',
  'skills',
  'subagents',
  'told',
  'permissions',
  'plugins',
  'files',
  'git',
  'budget',
  'outcome',
  'script',
  // Of programs that call agents.
  'exit_code',
  'output',
  'events',
  'iterations',
  'termination',
  'prompt',
  'processes',
  'isolation',
  'calls',
  'time',
  'baseline',
  'custom',
]);

/** `unjudged`: it could not be looked at. That is never a pass. */
const checkStatusSchema = z.enum(['passed', 'failed', 'unjudged']);

/** What exactly a check looked at, as data: readers of results never take sentences apart. */
const checkSubjectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), words: z.array(z.string()) }),
  z.object({
    kind: z.literal('turn'),
    /** What was typed, where the agent has no such command. */ unknown_command: z.optional(z.string()),
  }),
  z.object({ kind: z.literal('command'), name: z.optional(z.string()) }),
  z.object({ kind: z.literal('workflow'), from: z.optional(z.string()), to: z.string() }),
  z.object({ kind: z.literal('tool'), tools: z.array(z.string()) }),
  z.object({ kind: z.literal('hook'), event: z.string(), on: z.optional(z.string()) }),
  z.object({ kind: z.literal('skill'), names: z.array(z.string()) }),
  z.object({ kind: z.literal('subagent'), names: z.array(z.string()) }),
  /** What the model was told. */
  z.object({ kind: z.literal('told'), in: z.enum(['system', 'message', 'tools']), words: z.string() }),
  z.object({ kind: z.literal('permission'), tool: z.string() }),
  z.object({ kind: z.literal('plugin'), names: z.array(z.string()) }),
  z.object({ kind: z.literal('project') }),
  z.object({ kind: z.literal('mcp_server'), name: z.string() }),
  z.object({ kind: z.literal('file'), path: z.string(), words: z.optional(z.string()) }),
  z.object({ kind: z.literal('commit') }),
  z.object({ kind: z.literal('budget'), unit: z.string() }),
  z.object({ kind: z.literal('rule'), paths: z.array(z.string()) }),
  z.object({ kind: z.literal('request') }),
  /** What a stand-in refused although the real CLI does it. */
  z.object({ kind: z.literal('unsupported') }),
  z.object({ kind: z.literal('screen') }),
  z.object({ kind: z.literal('snapshot'), file: z.string() }),
  z.object({ kind: z.literal('exit_code'), code: z.int() }),
  z.object({
    kind: z.literal('output'),
    of: z.enum(['agent', 'program']),
    number: z.int(),
    words: z.string(),
    /** `words` is a regular expression. */
    pattern: z.optional(z.boolean()),
  }),
  z.object({
    kind: z.literal('event'),
    topic: z.string(),
    payload: z.optional(z.string()),
    by: z.optional(z.string()),
    /** `false`: it must not have been published. */
    wanted: z.boolean(),
  }),
  z.object({ kind: z.literal('iterations'), count: z.int() }),
  z.object({ kind: z.literal('hats'), order: z.array(z.string()) }),
  z.object({ kind: z.literal('termination'), reason: z.string() }),
  z.object({ kind: z.literal('prompt'), iteration: z.int(), words: z.string(), wanted: z.boolean() }),
  z.object({ kind: z.literal('processes') }),
  /** What an agent tried to reach outside of its sandbox. */
  z.object({ kind: z.literal('escapes') }),
  /** What a program called: all calls, or one of them. */
  z.object({ kind: z.literal('calls'), number: z.optional(z.int()) }),
  z.object({ kind: z.literal('time'), milliseconds: z.number() }),
  /** Something outside of the rehearsal that a program must not reach. */
  z.object({ kind: z.literal('service'), names: z.array(z.string()) }),
  /** A variant without the thing under test: it must fail. */
  z.object({ kind: z.literal('baseline'), condition: z.string() }),
  /** A condition that has only a name. */
  z.object({ kind: z.literal('condition') }),
]);

/** Where a check was asked for; lines and columns count from 1. */
const checkLocationSchema = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  /** The lines around it, with a marker below it. */
  frame: z.optional(z.string()),
});

/** The verdict of one check, with enough to see why. Checks may add fields of their own. */
export const checkResultSchema = z.object({
  name: z.string(),
  category: checkCategorySchema,
  status: checkStatusSchema,
  subject: checkSubjectSchema,
  /** Whether the subject was there at all, where that is known: a file without the words is there, a missing one is not. */
  present: z.optional(z.boolean()),
  expected: z.string(),
  actual: z.string(),
  /** Pieces of what was observed, each with what it is evidence of. */
  evidence: z.array(z.string()),
  suggestion: z.optional(z.string()),
  /** Names of the expectation that nothing here has: what is said of them could never fail. */
  unknown_names: z.optional(z.array(z.string())),
  /** The place of the expectation in its file, of a check that did not pass. */
  defined_at: z.optional(checkLocationSchema),
});

export type CheckStatus = z.infer<typeof checkStatusSchema>;
export type CheckSubject = z.infer<typeof checkSubjectSchema>;
export type CheckResult = z.infer<typeof checkResultSchema>;

/** The status of a check that could be looked at. */
export function statusOf(passed: boolean): CheckStatus {
  return passed ? 'passed' : 'failed';
}

export function hasPassed({ status }: Pick<CheckResult, 'status'>): boolean {
  return status === 'passed';
}

/** One status for several checks: a failure counts more than what nobody could look at. */
export function combinedStatus(checks: readonly Pick<CheckResult, 'status'>[]): CheckStatus {
  if (checks.some(({ status }) => status === 'failed')) return 'failed';
  return checks.every(hasPassed) ? 'passed' : 'unjudged';
}
