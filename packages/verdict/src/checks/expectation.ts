import type { Path, UnlocatedProblem } from '@understudy/kit';
import * as z from 'zod/mini';
import { budget } from './budget.js';
import { command } from './command-expanded.js';
import { suggests } from './command-suggested.js';
import { commits } from './commits.js';
import type { Check, CheckScope, KnownStages, ObservedStep, Place } from './define-check.js';
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
const checks = [
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

type AnyCheck = (typeof checks)[number];
type Within<C, Scope> = C extends Check<infer _, infer Own> ? (Scope extends Own ? C['fields'] : never) : never;
type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void ? All : never;
type FieldsOf<Scope extends CheckScope> = Together<Within<AnyCheck, Scope>>;

function fieldsOf<Scope extends CheckScope>(scope: Scope): FieldsOf<Scope> {
  const own = (checks as readonly Check[]).filter(({ scopes }) => scopes.includes(scope));
  return Object.assign({}, ...own.map(({ fields }) => fields));
}

/** What can be expected of one scope, as a schema. */
export const expectations = {
  step: z.strictObject(fieldsOf('step')),
  call: z.strictObject(fieldsOf('call')),
  start: z.strictObject(fieldsOf('start')),
  end: z.strictObject(fieldsOf('end')),
  run: z.strictObject(fieldsOf('run')),
};

export type Expectation = z.infer<typeof expectations.step>;
export type PartExpectation = z.infer<typeof expectations.start> & z.infer<typeof expectations.end>;

export const nowhere: Place = (_path, checks) => [...checks];

/** Holds what was seen against all that is asked, and against nothing else. */
export function checkAsked(
  seen: ObservedStep,
  expect: Expectation & PartExpectation,
  place: Place = nowhere,
): CheckResult[] {
  return (checks as readonly Check[]).flatMap((check) => check.judge(seen, expect, place));
}

/** Holds a step against what was expected of it. That the turn completed is always expected, unless said otherwise. */
export function checkExpectations(seen: ObservedStep, expect: Expectation = {}, place: Place = nowhere): CheckResult[] {
  return checkAsked(seen, { ...expect, outcome: expect.outcome ?? 'completed' }, place);
}

/** Finds expectations that could never fail, could never hold, or could not be looked at. */
export function reviewExpectation(expect: Expectation, path: Path, stages: KnownStages): UnlocatedProblem[] {
  return (checks as readonly Check[])
    .flatMap((check) => check.review?.(expect, stages) ?? [])
    .map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}
