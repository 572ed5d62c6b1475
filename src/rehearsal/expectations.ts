import { checkBudget } from '../checks/budget.js';
import { checkCommandExpanded } from '../checks/command-expanded.js';
import { checkCommandSuggested } from '../checks/command-suggested.js';
import { checkCommits } from '../checks/commits.js';
import { checkErrorHandled } from '../checks/error-handled.js';
import { checkFile } from '../checks/files-changed.js';
import { checkHook, checkHookOrder } from '../checks/hooks-fired.js';
import { checkJsonOutput } from '../checks/json-output.js';
import { checkKeywords } from '../checks/keywords.js';
import { checkLeftovers } from '../checks/leftovers.js';
import { checkSkills, checkSubagents } from '../checks/names-used.js';
import { type Observed, saidText } from '../checks/observed.js';
import { checkOutcome } from '../checks/outcome.js';
import { checkPermission } from '../checks/permission.js';
import { checkMcpServerUp, checkPluginsClean } from '../checks/plugins-loaded.js';
import { type CheckResult, hasPassed, statusOf } from '../checks/result.js';
import { checkSays } from '../checks/says.js';
import { checkSpecificFeedback } from '../checks/specific-feedback.js';
import { checkTold, readWrittenTold } from '../checks/told.js';
import { checkToolsUsed } from '../checks/tools-used.js';
import { checkWorkflowStage } from '../checks/workflow-stage.js';
import type { SessionPart } from '../conversation/session-part.js';
import type { WorkflowProgress } from '../conversation/workflow/progress.js';
import { asTextPattern } from '../scenario/pattern.js';
import type { TextPattern } from '../scenario/schema.js';
import type { Expectation } from './expectation-schema.js';
import type { PartExpectation } from './schema.js';

/** What was seen of a step. */
export interface ObservedStep extends Observed {
  number: number;
  workflow: WorkflowProgress | undefined;
}

/** Holds a step against what was expected of it. That the turn completed is always expected, unless said otherwise. */
export function checkExpectations(seen: ObservedStep, expect: Expectation = {}): CheckResult[] {
  return [checkOutcome(seen, expect), ...textChecks(seen, expect), ...actionChecks(seen, expect)];
}

/** Holds the start or the end of a conversation against what was expected of it. */
export function checkSessionPart(
  { part, events, conversation }: SessionPart,
  { leftovers, ...expect }: PartExpectation = {},
): CheckResult[] {
  const seen = { turn: events, all: conversation.events, number: 0, workflow: undefined };
  const checks = [...actionChecks(seen, expect), ...given(leftovers, (left) => [checkLeftovers(seen, left)])];
  return checks.map((check) => ({ ...check, name: `${part}: ${check.name}` }));
}

/** Checks of what the agent said. */
export function textChecks(seen: ObservedStep, expect: Expectation): CheckResult[] {
  const text = saidText(seen.turn);
  const { keywords, suggests, error_handled, feedback } = expect;
  const caseSensitive = keywords?.case_sensitive ?? false;
  return [
    ...given(expect.says, (says) => [checkSays(seen, asTextPattern(says))]),
    ...given(expect.says_not, (says) => [checkSays(seen, asTextPattern(says), { not: true })]),
    ...given(keywords?.any, (any) => [checkKeywords(text, any, { require: 'any', caseSensitive, skipNegated: true })]),
    ...given(keywords?.all, (all) => [checkKeywords(text, all, { require: 'all', caseSensitive, skipNegated: true })]),
    ...given(keywords?.none, (none) => [absent(checkKeywords(text, none, { require: 'any', caseSensitive }))]),
    ...given(suggests, (commands) => [commands].flat().map((command) => checkCommandSuggested(text, command))),
    ...given(error_handled === false ? undefined : error_handled, (handled) => [
      checkErrorHandled(text, { shouldRecover: handled === true ? true : (handled.recovers ?? true) }),
    ]),
    ...given(feedback, ({ min }) => [checkSpecificFeedback(text, min === undefined ? {} : { minimum: min })]),
    ...given(expect.json, (schema) => [checkJsonOutput(seen, schema)]),
  ];
}

/** Checks of what the agent did. */
export function actionChecks(seen: ObservedStep, expect: Expectation): CheckResult[] {
  return [
    ...given(expect.workflow, (move) => [
      checkWorkflowStage(seen.workflow, seen.number, typeof move === 'string' ? { to: move } : move),
    ]),
    ...given(expect.tools, (tools) => checkToolsUsed(seen, tools)),
    ...given(expect.command, ({ name, expands_to }) => [
      checkCommandExpanded(seen, { name, to: optionalPattern(expands_to) }),
    ]),
    ...given(expect.hooks, (hooks) =>
      hooks.map(({ reason, stdout, stderr, ...hook }) =>
        checkHook(seen, {
          ...hook,
          reason: optionalPattern(reason),
          stdout: optionalPattern(stdout),
          stderr: optionalPattern(stderr),
        }),
      ),
    ),
    ...given(expect.told, (told) => checkTold(seen, readWrittenTold(told))),
    ...given(expect.told_not, (told) => checkTold(seen, readWrittenTold(told), { not: true })),
    ...given(expect.hook_order, (order) => [checkHookOrder(seen, order)]),
    ...given(expect.skills, (skills) => checkSkills(seen, isList(skills) ? { all: skills } : skills)),
    ...given(expect.subagents, (agents) => checkSubagents(seen, isList(agents) ? { all: agents } : agents)),
    ...given(expect.permissions, (permissions) => permissions.map((wanted) => checkPermission(seen, wanted))),
    ...given(expect.plugins === 'any' ? undefined : expect.plugins, (plugins) => [
      checkPluginsClean(seen, plugins === 'clean' ? [] : plugins),
    ]),
    ...given(expect.mcp_servers, (servers) => servers.map((server) => checkMcpServerUp(seen, server))),
    ...given(expect.files, (files) =>
      files.map(({ contains, ...file }) => checkFile(seen, { ...file, contains: optionalPattern(contains) })),
    ),
    ...given(expect.commits, ({ message, ...commits }) => [
      checkCommits(seen, { ...commits, message: optionalPattern(message) }),
    ]),
    ...given(expect.budget, (budget) => checkBudget(seen, budget)),
  ];
}

/** The checks of something, if it is expected at all. */
export function given<T>(expected: T | undefined, check: (expected: T) => CheckResult[]): CheckResult[] {
  return expected === undefined ? [] : check(expected);
}

function optionalPattern(saying: string | TextPattern | undefined): TextPattern | undefined {
  return saying === undefined ? undefined : asTextPattern(saying);
}

function isList<T>(value: readonly string[] | T): value is readonly string[] {
  return Array.isArray(value);
}

/** Turns a search for words into the demand that none of them be there. */
function absent(found: CheckResult): CheckResult {
  const { suggestion: _, ...result } = found;
  return {
    ...result,
    name: 'keywords: none',
    status: statusOf(!hasPassed(found)),
    expected: found.expected.replace(/^any of/, 'none of'),
  };
}
