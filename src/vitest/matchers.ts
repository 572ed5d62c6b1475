import type { EventOf } from '@understudy/agents';
import { UnderstudyError } from '@understudy/kit';
import { describeTurn, normalize } from '@understudy/runner';
import { pick } from '@understudy/stage';
import {
  type Budget,
  type CheckResult,
  type CommandSuggestedOptions,
  checkBudget,
  checkCommandExpanded,
  checkCommandSuggested,
  checkCommits,
  checkErrorHandled,
  checkFile,
  checkHook,
  checkKeywords,
  checkOutcome,
  checkPermission,
  checkPluginsClean,
  checkSkills,
  checkSpecificFeedback,
  checkSubagents,
  checkTold,
  checkToolsUsed,
  checkWorkflowStage,
  type ErrorHandledOptions,
  hasPassed,
  type Saying,
  saidText,
} from '@understudy/verdict';
import { expect, type MatcherState, Snapshots } from 'vitest';
import { assertSpoken, type Received, received } from '../testing/observe.js';
import { readably } from '../testing/readable-error.js';
import { describeMismatch } from './describe-mismatch.js';
import type {
  ExpectedChange,
  ExpectedCommit,
  ExpectedEnd,
  ExpectedHookRun,
  ExpectedMove,
  ExpectedUse,
  ExpectedUsed,
  ExpectedWords,
  MentionOptions,
} from './matcher-types.js';

type Verdict = CheckResult | readonly CheckResult[];

/** Makes a matcher of a check. It holds when all of the check's results passed. */
function matcher<Args extends readonly unknown[]>(
  name: string,
  check: (received: Received, ...args: Args) => Verdict,
  prepare: (received: Received) => void = assertSpoken,
) {
  const judge = (value: unknown, args: Args) => {
    const seen = received(value);
    prepare(seen);
    const results = [check(seen, ...args)].flat();
    if (results.length === 0) throw asksNothing(name);
    return { seen, results };
  };
  return function (this: MatcherState, value: unknown, ...args: Args) {
    const { seen, results } = readably(() => judge(value, args));
    const { isNot, utils } = this;
    const shown = args.filter((arg) => arg !== undefined).map((arg) => utils.stringify(arg));
    const hint = () => utils.matcherHint(name, seen.what, shown.join(', '), { isNot });
    return {
      // What could not be judged, or could never be otherwise, fails, with `not` too.
      pass: results.some(({ status, unknown_names }) => status === 'unjudged' || unknown_names !== undefined)
        ? isNot === true
        : results.every(hasPassed),
      message: () => `${hint()}\n\n${describeMismatch(results, seen, isNot)}`,
    };
  };
}

/** Each matcher is a check of `packages/verdict/src/checks`, and nothing more. */
export const matchers = {
  toMentionAny: matcher('toMentionAny', ({ seen }, words: readonly string[], options: MentionOptions = {}) =>
    checkKeywords(saidText(seen.turn), words, { skipNegated: true, ...options, require: 'any' }),
  ),
  toMentionAll: matcher('toMentionAll', ({ seen }, words: readonly string[], options: MentionOptions = {}) =>
    checkKeywords(saidText(seen.turn), words, { skipNegated: true, ...options, require: 'all' }),
  ),
  toHaveWorkflowStage: matcher(
    'toHaveWorkflowStage',
    ({ seen }, stage: string | ExpectedMove) =>
      checkWorkflowStage(seen.workflow, seen.number, typeof stage === 'string' ? { to: stage } : stage),
    assertWorkflow,
  ),
  toSuggestCommand: matcher('toSuggestCommand', ({ seen }, command: string, options: CommandSuggestedOptions = {}) =>
    checkCommandSuggested(saidText(seen.turn), command, options),
  ),
  toHaveUsedTools: matcher('toHaveUsedTools', ({ seen }, tools: readonly string[] | ExpectedUse) =>
    checkToolsUsed(seen, isList(tools) ? { all: assertSome(tools, 'toHaveUsedTools') } : tools),
  ),
  toHaveUsedSkills: matcher('toHaveUsedSkills', ({ seen }, skills: ExpectedUsed) =>
    checkSkills(seen, isList(skills) ? { all: assertSome(skills, 'toHaveUsedSkills') } : skills),
  ),
  toHaveUsedSubagents: matcher('toHaveUsedSubagents', ({ seen }, subagents: ExpectedUsed) =>
    checkSubagents(seen, isList(subagents) ? { all: assertSome(subagents, 'toHaveUsedSubagents') } : subagents),
  ),
  toHaveToldModel: matcher('toHaveToldModel', ({ seen }, words: ExpectedWords) => checkTold(seen, words)),
  toHaveFiredHook: matcher('toHaveFiredHook', ({ seen }, hook: string | ExpectedHookRun) =>
    checkHook(seen, typeof hook === 'string' ? { event: hook } : hook),
  ),
  toHaveBeenBlockedBy: matcher('toHaveBeenBlockedBy', ({ seen }, event: string, on?: string) =>
    checkHook(seen, { event, on, blocked: true }),
  ),
  toHaveCommitted: matcher('toHaveCommitted', ({ seen }, commit: Saying | ExpectedCommit = {}) => {
    return checkCommits(seen, typeof commit === 'string' || 'type' in commit ? { message: commit } : commit);
  }),
  toHaveChangedFile: matcher('toHaveChangedFile', ({ seen }, path: string, { change, contains }: ExpectedChange = {}) =>
    checkFile(seen, { path, change, contains }),
  ),
  toHaveExpandedCommand: matcher('toHaveExpandedCommand', ({ seen }, name?: string, to?: Saying) =>
    checkCommandExpanded(seen, { name, expands_to: to }),
  ),
  toHaveAskedPermission: matcher('toHaveAskedPermission', ({ seen }, tool: string, decision?: 'allow' | 'deny') =>
    checkPermission(seen, { tool, decision }),
  ),
  toHaveHandledError: matcher('toHaveHandledError', ({ seen }, options: ErrorHandledOptions = {}) =>
    checkErrorHandled(saidText(seen.turn), options),
  ),
  toHaveSpecificFeedback: matcher('toHaveSpecificFeedback', ({ seen }, minimum?: number) =>
    checkSpecificFeedback(saidText(seen.turn), minimum === undefined ? {} : { minimum }),
  ),
  toStayWithinBudget: matcher('toStayWithinBudget', (all, budget: Budget) =>
    inEachTurn(all, (seen) => {
      assertTold(pick(seen.turn, 'turn_ended').at(-1), budget);
      return checkBudget(seen, budget);
    }),
  ),
  toHaveLoadedPlugins: matcher(
    'toHaveLoadedPlugins',
    ({ seen }, ...names: readonly string[]) => checkPluginsClean(seen, names),
    assertPluginsTold,
  ),
  toHaveCompleted: matcher('toHaveCompleted', (all, expected: ExpectedEnd = {}) =>
    inEachTurn(all, (seen) => [checkOutcome(seen, expected)]),
  ),
  toMatchConversationSnapshot(this: MatcherState, value: unknown, hint?: string) {
    const seen = readably(() => received(value));
    readably(() => assertSpoken(seen));
    const { conversation, turns } = seen;
    const told = seen.what === 'conversation' ? turns : turns.slice(-1);
    const text = told.map(describeTurn).join('\n\n');
    const plain = conversation === undefined ? text : normalize(text, conversation);
    return Snapshots.toMatchSnapshot.call(this, plain, hint);
  },
};

/** Makes the matchers known to `expect`. */
export function registerMatchers(): void {
  expect.extend(matchers);
}

/** Of a conversation, each turn is looked at by itself. */
function inEachTurn(
  { seen, turns, what }: Received,
  check: (seen: Received['seen']) => readonly CheckResult[],
): CheckResult[] {
  if (what !== 'conversation') return [...check(seen)];
  return turns.flatMap((turn) =>
    check({ ...seen, turn: turn.events, number: turn.number }).map((result) => ({
      ...result,
      name: `${result.name} of turn ${turn.number}`,
    })),
  );
}

function isList<T>(names: readonly string[] | T): names is readonly string[] {
  return Array.isArray(names);
}

function assertSome<T>(list: readonly T[], name: string): readonly T[] {
  if (list.length === 0) throw asksNothing(name);
  return list;
}

function asksNothing(name: string): UnderstudyError {
  return new UnderstudyError('EXPECTS_NOTHING', `${name} asks for nothing, so it could never fail`, {
    fix: 'Say what must hold.',
  });
}

/** What could not be looked at is an error with `not`, too. */
function assertWorkflow(seen: Received): void {
  assertSpoken(seen);
  if (seen.seen.workflow !== undefined) return;
  throw new UnderstudyError('WORKFLOW_MISSING', 'this conversation follows no workflow, so it has no workflow stage', {
    fix: "Name one: test.override({ workflow: 'agent-loop' }).",
  });
}

function assertPluginsTold({ seen }: Received): void {
  if (pick(seen.all, 'session').some(({ plugins }) => plugins !== undefined)) return;
  throw new UnderstudyError('PLUGINS_NOT_REPORTED', 'the agent has not reported its plugins yet', {
    fix: 'Send something first, and give the matcher the agent: expect(agent).',
  });
}

function assertTold(ended: EventOf<'turn_ended'> | undefined, budget: Budget): void {
  const untold = [
    budget.max_cost_usd !== undefined && ended?.costUsd === undefined && 'cost',
    budget.max_model_turns !== undefined && ended?.modelTurns === undefined && 'model turns',
    (budget.max_input_tokens ?? budget.max_output_tokens) !== undefined && ended?.usage === undefined && 'tokens',
  ].filter((what) => what !== false);
  if (untold.length === 0) return;
  throw new UnderstudyError('USAGE_NOT_REPORTED', `the agent did not report its ${untold.join(' and ')}`, {
    fix: 'Set a limit on something that this agent reports.',
  });
}
