import type { Path } from '@understudy/kit';
import { asTextPattern, type TextPattern } from '@understudy/script';
import type { SessionPart, WorkflowProgress } from '@understudy/stage';
import {
  type CheckResult,
  checkBudget,
  checkCommandExpanded,
  checkCommandSuggested,
  checkCommits,
  checkErrorHandled,
  checkFile,
  checkHook,
  checkHookOrder,
  checkJsonOutput,
  checkKeywords,
  checkLeftovers,
  checkMcpServerUp,
  checkOutcome,
  checkPermission,
  checkPluginsClean,
  checkSays,
  checkScreen,
  checkSkills,
  checkSpecificFeedback,
  checkSubagents,
  checkTold,
  checkToolsUsed,
  checkWorkflowStage,
  type ExpectedHook,
  hasPassed,
  type Observed,
  readWrittenTold,
  saidText,
  statusOf,
} from '@understudy/verdict';
import type { Expectation } from './expectation-schema.js';
import type { PartExpectation } from './schema.js';

/** What was seen of a step. */
export interface ObservedStep extends Observed {
  number: number;
  workflow: WorkflowProgress | undefined;
}

/** Marks checks with the place of their expectation: a path from `expect`. */
export type Place = (path: Path, checks: readonly CheckResult[]) => CheckResult[];

export const nowhere: Place = (_path, checks) => [...checks];

/** The places below a part of the document. */
export const within =
  (place: Place, ...base: Path): Place =>
  (path, checks) =>
    place([...base, ...path], checks);

/** Holds a step against what was expected of it. That the turn completed is always expected, unless said otherwise. */
export function checkExpectations(seen: ObservedStep, expect: Expectation = {}, place: Place = nowhere): CheckResult[] {
  return [
    ...place(['outcome'], [checkOutcome(seen, expect)]),
    ...textChecks(seen, expect, place),
    ...actionChecks(seen, expect, place),
  ];
}

/** Holds the start or the end of a conversation against what was expected of it. */
export function checkSessionPart(
  { part, events, conversation }: SessionPart,
  { leftovers, ...expect }: PartExpectation = {},
  place: Place = nowhere,
): CheckResult[] {
  const seen = { turn: events, all: conversation.events, number: 0, workflow: undefined };
  const left = leftovers === undefined ? [] : place(['leftovers'], [checkLeftovers(seen, leftovers)]);
  const checks = [...actionChecks(seen, expect, place), ...left];
  return checks.map((check) => ({ ...check, name: `${part}: ${check.name}` }));
}

/** Checks of what the agent said. */
export function textChecks(seen: ObservedStep, expect: Expectation, place: Place = nowhere): CheckResult[] {
  const text = saidText(seen.turn);
  const { says, says_not, keywords, suggests, error_handled, feedback, json } = expect;
  const caseSensitive = keywords?.case_sensitive ?? false;
  const given = givenAt(place);
  return [
    ...given(['says'], says, (saying) => [checkSays(seen, asTextPattern(saying))]),
    ...given(['says_not'], says_not, (saying) => [checkSays(seen, asTextPattern(saying), { not: true })]),
    ...given(['keywords', 'any'], keywords?.any, (any) => [
      checkKeywords(text, any, { require: 'any', caseSensitive, skipNegated: true }),
    ]),
    ...given(['keywords', 'all'], keywords?.all, (all) => [
      checkKeywords(text, all, { require: 'all', caseSensitive, skipNegated: true }),
    ]),
    ...given(['keywords', 'none'], keywords?.none, (none) => [
      absent(checkKeywords(text, none, { require: 'any', caseSensitive })),
    ]),
    ...(typeof suggests === 'string'
      ? place(['suggests'], [checkCommandSuggested(text, suggests)])
      : each(place, ['suggests'], suggests, (command) => [checkCommandSuggested(text, command)])),
    ...given(['error_handled'], error_handled === false ? undefined : error_handled, (handled) => [
      checkErrorHandled(text, { shouldRecover: handled === true ? true : (handled.recovers ?? true) }),
    ]),
    ...given(['feedback'], feedback, ({ min }) => [
      checkSpecificFeedback(text, min === undefined ? {} : { minimum: min }),
    ]),
    ...given(['json'], json, (schema) => [checkJsonOutput(seen, schema)]),
  ];
}

function expectedHook({ reason, stdout, stderr, ...hook }: NonNullable<Expectation['hooks']>[number]): ExpectedHook {
  return {
    ...hook,
    reason: optionalPattern(reason),
    stdout: optionalPattern(stdout),
    stderr: optionalPattern(stderr),
  };
}

/** Checks of what the agent did. */
export function actionChecks(seen: ObservedStep, expect: Expectation, place: Place = nowhere): CheckResult[] {
  const given = givenAt(place);
  return [
    ...given(['workflow'], expect.workflow, (move) => [
      checkWorkflowStage(seen.workflow, seen.number, typeof move === 'string' ? { to: move } : move),
    ]),
    ...toolChecks(seen, expect.tools, place),
    ...given(['command'], expect.command, ({ name, expands_to }) => [
      checkCommandExpanded(seen, { name, to: optionalPattern(expands_to) }),
    ]),
    ...each(place, ['hooks'], expect.hooks, (hook) => [
      checkHook(seen, expectedHook(hook), expect.hooks?.map(expectedHook)),
    ]),
    ...given(['told'], expect.told, (told) => checkTold(seen, readWrittenTold(told))),
    ...given(['told_not'], expect.told_not, (told) => checkTold(seen, readWrittenTold(told), { not: true })),
    ...given(['hook_order'], expect.hook_order, (order) => [checkHookOrder(seen, order)]),
    ...given(['skills'], expect.skills, (skills) => checkSkills(seen, isList(skills) ? { all: skills } : skills)),
    ...given(['subagents'], expect.subagents, (agents) =>
      checkSubagents(seen, isList(agents) ? { all: agents } : agents),
    ),
    ...each(place, ['permissions'], expect.permissions, (wanted) => [checkPermission(seen, wanted)]),
    ...given(['plugins'], expect.plugins === 'any' ? undefined : expect.plugins, (plugins) => [
      checkPluginsClean(seen, plugins === 'clean' ? [] : plugins),
    ]),
    ...each(place, ['mcp_servers'], expect.mcp_servers, (server) => [checkMcpServerUp(seen, server)]),
    ...each(place, ['files'], expect.files, ({ contains, ...file }) => [
      checkFile(seen, { ...file, contains: optionalPattern(contains) }),
    ]),
    ...given(['commits'], expect.commits, ({ message, ...commits }) => [
      checkCommits(seen, { ...commits, message: optionalPattern(message) }),
    ]),
    ...keysOf(expect.budget).flatMap((key) =>
      place(['budget', key], checkBudget(seen, { [key]: expect.budget?.[key] })),
    ),
    ...given(['screen'], expect.screen, ({ contains, not_contains, rows, ...screen }) =>
      checkScreen(seen, {
        ...screen,
        contains: patterns(contains),
        not_contains: patterns(not_contains),
        rows: rows?.map(({ row, text }) => ({ row, text: asTextPattern(text) })),
      }),
    ),
  ];
}

/** Each thing that is asked of the tools has a place of its own. */
function toolChecks(seen: ObservedStep, tools: Expectation['tools'], place: Place): CheckResult[] {
  return keysOf(tools).flatMap((key) =>
    key === 'calls'
      ? each(place, ['tools', 'calls'], tools?.calls, (call) => checkToolsUsed(seen, { calls: [call] }))
      : place(['tools', key], checkToolsUsed(seen, { [key]: tools?.[key] })),
  );
}

/** Checks of an expectation that may be absent. */
export function givenAt(place: Place) {
  return <T>(path: Path, expected: T | undefined, check: (expected: T) => CheckResult[]): CheckResult[] =>
    expected === undefined ? [] : place(path, check(expected));
}

/** Checks of a list of expectations, each in its own place. */
function each<T>(
  place: Place,
  path: Path,
  expected: readonly T[] | undefined,
  check: (expected: T) => CheckResult[],
): CheckResult[] {
  return (expected ?? []).flatMap((one, index) => place([...path, index], check(one)));
}

function keysOf<T extends object>(value: T | undefined): (keyof T & string)[] {
  return Object.keys(value ?? {}) as (keyof T & string)[];
}

function optionalPattern(saying: string | TextPattern | undefined): TextPattern | undefined {
  return saying === undefined ? undefined : asTextPattern(saying);
}

function patterns(sayings: string | TextPattern | (string | TextPattern)[] | undefined): TextPattern[] | undefined {
  return sayings === undefined ? undefined : [sayings].flat().map(asTextPattern);
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
