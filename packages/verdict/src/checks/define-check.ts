import type { Path, UnlocatedProblem } from '@understudy/kit';
import { type TextPattern, textPatternSchema } from '@understudy/script';
import type { WorkflowProgress } from '@understudy/stage';
import * as z from 'zod/mini';
import type { LoggedCall, Observed, ObservedRun } from './observed.js';
import type { CheckResult } from './result.js';

/** What was seen of a step. */
export interface ObservedStep extends Observed {
  number: number;
  workflow: WorkflowProgress | undefined;
}

/** What was seen of one call of a program: a conversation of its own. */
export interface ObservedCallStep extends ObservedStep {
  call: LoggedCall['call'];
}

/** What was seen of a `run` step; its events are what happened to the project. */
export interface ObservedRunStep extends ObservedStep {
  run: ObservedRun;
  calls: readonly LoggedCall[];
  /** Real agents and services that the program tried to reach. */
  reached: readonly string[];
  /** What stand-ins could not do. */
  unsupported: readonly string[];
}

/** Marks checks with the place of their expectation: a path from `expect`. */
export type Place = (path: Path, checks: readonly CheckResult[]) => CheckResult[];

/** Where something can be expected: of a turn, of one call of a program, of the start or the end, of a program. */
export type CheckScope = keyof SeenIn;

/** What there is to look at. */
interface SeenIn {
  step: ObservedStep;
  call: ObservedCallStep;
  start: ObservedStep;
  end: ObservedStep;
  run: ObservedRunStep;
}

/** The stages of the workflow; `none`: there is no workflow. */
export type KnownStages = readonly string[] | 'none' | 'unknown';

/** The names that an expectation can have. */
export interface KnownNames {
  stages: KnownStages;
  /** The agents that a program finds on its PATH, with or without a version. */
  agents?: readonly string[] | undefined;
  /** What a call without an agent is named by: the API of its requests. */
  protocols?: readonly string[] | undefined;
}

type Fields = Readonly<Record<string, z.ZodMiniType>>;
type Expectation<F extends Fields> = z.infer<z.ZodMiniObject<F, z.core.$strict>>;

/** One thing that can be expected: everything else that knows of it reads this. */
export interface Check<F extends Fields = Fields, Scope extends CheckScope = CheckScope> {
  /** What stands in `expect`. */
  fields: F;
  scopes: readonly Scope[];
  /** Where the docs say more, from the folder docs. */
  page?: string;
  /** In a whole conversation, each turn is looked at by itself. */
  eachTurn?: boolean;
  /** One result for each thing that is asked; nothing where nothing is. */
  judge(seen: SeenIn[Scope], expect: Expectation<F>, place: Place): CheckResult[];
  /** Mistakes that a schema cannot find: what could never fail, never hold, or not be looked at. */
  review?(expect: Expectation<F>, known: KnownNames): UnlocatedProblem[];
}

export function defineCheck<F extends Fields, const Scope extends CheckScope>(check: Check<F, Scope>): Check<F, Scope> {
  return check;
}

type FieldsIn<C, Scope> = C extends Check<infer F, infer Own> ? (Scope extends Own ? F : never) : never;
export type Together<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void ? All : never;

/** The fields of `expect` in one scope. */
export function fieldsOf<C, Scope extends CheckScope>(
  checks: readonly C[],
  scope: Scope,
): Together<FieldsIn<C, Scope>> {
  return Object.assign({}, ...inScope(checks, scope).map(({ fields }) => fields));
}

/** The checks that can be made in one scope. */
export function inScope<C, Scope extends CheckScope>(
  checks: readonly C[],
  scope: Scope,
): readonly Check<Fields, Scope>[] {
  return (checks as readonly unknown[] as readonly Check<Fields, Scope>[]).filter(({ scopes }) =>
    scopes.includes(scope),
  );
}

/** What all of them find wrong with an expectation. */
export function reviewAll(
  checks: readonly Pick<Check, 'review'>[],
  expect: object,
  known: KnownNames,
  path: Path = [],
): UnlocatedProblem[] {
  return checks
    .flatMap((check) => check.review?.({ ...expect }, known) ?? [])
    .map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** What a schema takes, as code writes it: lists may be constant. */
export type Written<S extends z.core.$ZodType> = ConstantLists<z.infer<S>>;
type ConstantLists<T> = T extends TextPattern
  ? T
  : T extends readonly (infer One)[]
    ? readonly ConstantLists<One>[]
    : T extends object
      ? { [Name in keyof T]: ConstantLists<T[Name]> }
      : T;

/** A text that must be there, or a whole pattern. */
export type Saying = string | TextPattern;
export const saying: z.ZodMiniType<Saying, Saying> = z.union([z.string(), textPatternSchema]);
export const sayings = z.union([saying, z.array(saying).check(z.minLength(1))]);
export const words = z.array(z.string().check(z.minLength(1))).check(z.minLength(1));
export const oneOrMore = z.union([z.string(), z.array(z.string()).check(z.minLength(1))]);
export const count = z.int().check(z.minimum(0));
export const positive = z.int().check(z.minimum(1));

/** Checks of an expectation that may be absent. */
export function givenAt(place: Place) {
  return <T>(path: Path, expected: T | undefined, check: (expected: T) => CheckResult[]): CheckResult[] =>
    expected === undefined ? [] : place(path, check(expected));
}

/** Checks of a list of expectations, each in its own place. */
export function each<T>(
  place: Place,
  path: Path,
  expected: readonly T[] | undefined,
  check: (expected: T) => CheckResult[],
): CheckResult[] {
  return (expected ?? []).flatMap((one, index) => place([...path, index], check(one)));
}

export function keysOf<T extends object>(value: T | undefined): (keyof T & string)[] {
  return Object.keys(value ?? {}) as (keyof T & string)[];
}

/** What is asked of names: as a list, all of them; of an empty list nothing is asked. */
export function allOf<T extends object>(names: readonly string[] | T): T | { all?: readonly string[] } {
  if (!Array.isArray(names)) return names as T;
  return names.length === 0 ? {} : { all: names };
}
