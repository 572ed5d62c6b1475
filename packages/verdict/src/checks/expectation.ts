import type { Path, UnlocatedProblem } from '@understudy/kit';
import * as z from 'zod/mini';
import { budget } from './budget.js';
import { command } from './command-expanded.js';
import { suggests } from './command-suggested.js';
import { commits } from './commits.js';
import { type Check, fieldsOf, type KnownStages, type ObservedStep, type Place, reviewAll } from './define-check.js';
import { errorHandled } from './error-handled.js';
import { files } from './files-changed.js';
import { hookOrder, hooks } from './hooks-fired.js';
import { json } from './json-output.js';
import { keywords } from './keywords.js';
import { leftovers } from './leftovers.js';
import { skills, subagents } from './names-used.js';
import { outcome } from './outcome.js';
import { permissions } from './permission.js';
import { mcpServers, plugins } from './plugins-loaded.js';
import type { CheckResult } from './result.js';
import { says } from './says.js';
import { screen } from './screen.js';
import { feedback } from './specific-feedback.js';
import { told } from './told.js';
import { tools } from './tools-used.js';
import { workflow } from './workflow-stage.js';

/** All that can be expected of a conversation, in the order in which it is judged and shown. */
export const turnChecks = [
  outcome,
  says,
  keywords,
  suggests,
  errorHandled,
  feedback,
  json,
  workflow,
  tools,
  command,
  hooks,
  hookOrder,
  skills,
  subagents,
  told,
  permissions,
  plugins,
  mcpServers,
  files,
  commits,
  budget,
  screen,
  leftovers,
] as const;

/** What can be expected of one scope, as a schema. */
export const expectations = {
  step: z.strictObject(fieldsOf(turnChecks, 'step')),
  start: z.strictObject(fieldsOf(turnChecks, 'start')),
  end: z.strictObject(fieldsOf(turnChecks, 'end')),
};

export type Expectation = z.infer<typeof expectations.step>;
export type PartExpectation = z.infer<typeof expectations.start> & z.infer<typeof expectations.end>;

export const nowhere: Place = (_path, checks) => [...checks];

/** Holds what was seen against all that is asked, and against nothing else. */
export function checkOnlyExpected(
  seen: ObservedStep,
  expect: Expectation & PartExpectation,
  place: Place = nowhere,
  own: readonly Check[] = [],
): CheckResult[] {
  return [...(turnChecks as readonly Check[]), ...own].flatMap((check) => check.judge(seen, expect, place));
}

/** Holds a step against what was expected of it. Completion is always expected, unless it expects otherwise. */
export function checkExpectations(
  seen: ObservedStep,
  expect: Expectation = {},
  place: Place = nowhere,
  own: readonly Check[] = [],
): CheckResult[] {
  return checkOnlyExpected(seen, { ...expect, outcome: expect.outcome ?? 'completed' }, place, own);
}

/** Holds a whole conversation against what was asked: what is about a turn, each turn; the rest, all that happened. */
export function checkConversation(
  seen: ObservedStep,
  turns: readonly Pick<ObservedStep, 'number' | 'turn'>[],
  expect: Expectation,
  own: readonly Check[] = [],
): CheckResult[] {
  return [...(turnChecks as readonly Check[]), ...own].flatMap((check) =>
    check.eachTurn !== true
      ? check.judge(seen, expect, nowhere)
      : turns.flatMap((turn) =>
          check
            .judge({ ...seen, ...turn }, expect, nowhere)
            .map((result) => ({ ...result, name: `${result.name} of turn ${turn.number}` })),
        ),
  );
}

/** Finds expectations that could never fail, could never hold, or could not be looked at. */
export function reviewExpectation(
  expect: Expectation,
  path: Path,
  stages: KnownStages,
  own: readonly Check[] = [],
): UnlocatedProblem[] {
  return reviewAll([...turnChecks, ...own], expect, { stages }, path);
}
