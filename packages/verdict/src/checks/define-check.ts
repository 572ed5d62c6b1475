import type { Path, UnlocatedProblem } from '@understudy/kit';
import { type TextPattern, textPatternSchema } from '@understudy/script';
import type { WorkflowProgress } from '@understudy/stage';
import * as z from 'zod/mini';
import type { Observed } from './observed.js';
import type { CheckResult } from './result.js';

/** What was seen of a step. */
export interface ObservedStep extends Observed {
  number: number;
  workflow: WorkflowProgress | undefined;
}

/** Marks checks with the place of their expectation: a path from `expect`. */
export type Place = (path: Path, checks: readonly CheckResult[]) => CheckResult[];

/** Where something can be expected: of a turn, of one call of a program, of the start or the end, of a program. */
export type CheckScope = 'step' | 'call' | 'start' | 'end' | 'run';

/** The stages of the workflow; `none`: there is no workflow. */
export type KnownStages = readonly string[] | 'none' | 'unknown';

type Fields = Readonly<Record<string, z.ZodMiniType>>;
type Expectation<F extends Fields> = z.infer<z.ZodMiniObject<F, z.core.$strict>>;

/** One thing that can be expected: everything else that knows of it reads this. */
export interface Check<F extends Fields = Fields, Scope extends CheckScope = CheckScope> {
  /** What stands in `expect`. */
  fields: F;
  scopes: readonly Scope[];
  /** One result for each thing that is asked; nothing where nothing is. */
  judge(seen: ObservedStep, expect: Expectation<F>, place: Place): CheckResult[];
  /** Mistakes that a schema cannot find: what could never fail, never hold, or not be looked at. */
  review?(expect: Expectation<F>, stages: KnownStages): UnlocatedProblem[];
}

export function defineCheck<F extends Fields, const Scope extends CheckScope>(check: Check<F, Scope>): Check<F, Scope> {
  return check;
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

/** A field that may be left out, with what an editor shows for it. */
export function field<S extends z.ZodMiniType>(description: string, schema: S): z.ZodMiniOptional<S> {
  const optional = z.optional(schema);
  z.globalRegistry.add(optional, { description });
  return optional;
}

/** A field that must be there. */
export function required<S extends z.ZodMiniType>(description: string, schema: S): S {
  const own = z.clone(schema);
  z.globalRegistry.add(own, { description });
  return own;
}

/** A text that must be there, or a whole pattern. */
export const saying = z.union([z.string(), textPatternSchema]);
export const sayings = z.union([saying, z.array(saying).check(z.minLength(1))]);
export type Saying = string | TextPattern;
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
