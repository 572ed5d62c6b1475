import { field, required } from '@understudy/kit';
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

/** One kind of subject, with what is known of it. */
const subject = <const Kind extends string, F extends z.core.$ZodLooseShape>(kind: Kind, words: string, fields: F) =>
  z.object({ kind: required(`${kind}: ${words}`, z.literal(kind)), ...fields });

const name = z.string();
const guardVerdictSchema = z.enum(['blocked', 'asked', 'let through', 'never ran', 'not made']);
const names = z.array(z.string());

/** What exactly a check looked at, as data: readers of results never take sentences apart. */
const checkSubjectSchema = z.discriminatedUnion('kind', [
  subject('text', 'a text of the agent.', { words: required('The words or patterns that were looked for.', names) }),
  subject('turn', 'how a turn ended.', {
    unknown_command: field('What was typed, where the agent has no such command.', name),
  }),
  subject('command', 'a slash command.', { name: field('The name of the command.', name) }),
  subject('workflow', 'a move of the workflow.', {
    from: field('The stage before the move.', name),
    to: required('The stage after the move.', name),
  }),
  subject('tool', 'the use of tools.', { tools: required('The tools.', names) }),
  subject('hook', 'a hook.', {
    event: required('The event of the hook.', name),
    on: field('The tool for which it runs.', name),
  }),
  subject('skill', 'the use of skills.', { names: required('The skills.', names) }),
  subject('subagent', 'the work of subagents.', { names: required('The subagents.', names) }),
  subject('told', 'what the model was told.', {
    in: required('Where it was looked for.', z.enum(['system', 'message', 'tools'])),
    words: required('What was looked for.', name),
  }),
  subject('permission', 'a question for permission.', { tool: required('The tool.', name) }),
  subject('guard', 'what a user wrote to stop an agent, and an attempt against it.', {
    guard: required('The name of the guard.', name),
    file: required('The file of the guard.', name),
    line: field('The line of the guard in its file.', z.int()),
    attempt: required('What was tried: the attack, or its harmless twin.', name),
    verdict: required('What became of it.', guardVerdictSchema),
    by: field('What stopped it, or asked.', name),
  }),
  subject('plugin', 'the plugins.', { names: required('The plugins.', names) }),
  subject('project', 'what the project declares to the agent.', {}),
  subject('mcp_server', 'an MCP server.', { name: required('The name of the server.', name) }),
  subject('file', 'a file.', {
    path: required('The path of the file.', name),
    words: field('What it should contain.', name),
  }),
  subject('commit', 'the commits.', {}),
  subject('budget', 'what the turn used.', { unit: required('What is counted, such as input tokens.', name) }),
  subject('rule', 'rules of the script.', { paths: required('The addresses of the rules in their file.', names) }),
  subject('request', 'requests to the model.', {}),
  subject('unsupported', 'what a stand-in refused although the real CLI does it.', {}),
  subject('screen', 'the screen of a terminal.', {}),
  subject('snapshot', 'a stored snapshot.', { file: required('The file of the snapshot.', name) }),
  subject('exit_code', 'how a program ended.', {
    code: required('The code that was expected; -1 for a signal.', z.int()),
  }),
  subject('output', 'what was printed.', {
    of: required('Who printed it.', z.enum(['agent', 'program'])),
    number: required('Which of them, from 1.', z.int()),
    words: required('What was looked for.', name),
    pattern: field('true: `words` is a regular expression.', z.boolean()),
  }),
  subject('event', 'an event of a loop.', {
    topic: required('The topic of the event.', name),
    payload: field('What the event must say.', name),
    by: field('Who must have published it.', name),
    wanted: required('false: it must not have been published.', z.boolean()),
  }),
  subject('iterations', 'the iterations of a loop.', { count: required('How many were expected.', z.int()) }),
  subject('hats', 'the order of hats in a loop.', { order: required('The hats, in order.', names) }),
  subject('termination', 'why a loop ended.', { reason: required('The reason that was expected.', name) }),
  subject('prompt', 'what an agent was asked.', {
    iteration: required('The number of the iteration.', z.int()),
    words: required('What was looked for.', name),
    wanted: required('false: it must not be there.', z.boolean()),
  }),
  subject('processes', 'processes that are left running.', {}),
  subject('escapes', 'what an agent tried to reach outside of its sandbox.', {}),
  subject('calls', 'what a program called.', { number: field('The call; without it, all calls.', z.int()) }),
  subject('time', 'how long a program ran.', { milliseconds: required('Milliseconds that it ran.', z.number()) }),
  subject('service', 'something outside of the rehearsal that a program must not reach.', {
    names: required('What it tried to reach.', names),
  }),
  subject('baseline', 'a variant without the thing under test, which must fail.', {
    condition: required('What is left out.', name),
  }),
  subject('condition', 'a condition that has only a name.', {}),
]);

/** Where a check was asked for; lines and columns count from 1. */
const checkLocationSchema = z.object({
  file: required('The file.', z.string()),
  line: field('The line, from 1.', z.int()),
  column: field('The column, from 1.', z.int()),
  path: field('The field, where the file is a module, and its line is not known.', z.string()),
  frame: field('The lines around it, with a marker below it.', z.string()),
});

/** The verdict of one check, with enough to see why. Checks may add fields of their own. */
export const checkResultSchema = z.object({
  name: required('The name of the check.', z.string()),
  category: required('What the check is about. Reports group by it.', checkCategorySchema),
  status: required('unjudged: it could not be looked at. That is never a pass.', checkStatusSchema),
  subject: required('What exactly the check looked at, as data.', checkSubjectSchema),
  present: field(
    'Whether the subject was there at all, where that is known: a file without the words is there, a missing one is not.',
    z.boolean(),
  ),
  expected: required('What should be, in a sentence.', z.string()),
  actual: required('What was seen, in a sentence.', z.string()),
  evidence: required('Parts of what was observed, each with what it is evidence of.', z.array(z.string())),
  suggestion: field('What to do about it.', z.string()),
  unknown_names: field(
    'Names of the expectation that nothing here has: an expectation about them could never fail.',
    z.array(z.string()),
  ),
  defined_at: field('The place of the expectation in its file, of a check that did not pass.', checkLocationSchema),
});

export type GuardVerdict = z.infer<typeof guardVerdictSchema>;
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
