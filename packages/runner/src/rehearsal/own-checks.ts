import { isAbsolute, relative, resolve } from 'node:path';
import { field, isObject, required, type UnlocatedProblem } from '@understudy/kit';
import { type Check, loadOwnCheck, runExpectationSchema } from '@understudy/verdict';
import * as z from 'zod/mini';
import { expectationSchema } from './expectation-schema.js';
import { refusal } from './review.js';
import { runStepSchema } from './run-schema.js';
import { rehearsalSchema, sendStepSchema } from './schema.js';

/** The checks that a document names, and what is wrong with the others. */
export interface NamedChecks {
  checks: Check[];
  problems: UnlocatedProblem[];
}

/** Loads the checks that `checks` of a rehearsal names; paths are relative to `from`. What is no table, its schema refuses. */
export function loadNamedChecks(named: unknown, from: string): NamedChecks {
  const checks: Check[] = [];
  const problems: UnlocatedProblem[] = [];
  for (const [prefix, module] of Object.entries(isObject(named) ? named : {})) {
    if (typeof module !== 'string' || module === '') continue;
    try {
      checks.push(loadOwnCheck(prefix, asShown(resolve(from, module))));
    } catch (error) {
      problems.push(refusal(error, ['checks', prefix]));
      checks.push(anything(prefix));
    }
  }
  return { checks, problems };
}

/** What is expected of a check that cannot be loaded is not a second mistake. */
function anything(prefix: string): Check {
  return { fields: { [prefix]: z.optional(z.unknown()) }, scopes: ['step', 'run'], judge: () => [] };
}

/** As a person would write it. */
function asShown(path: string): string {
  const near = relative('.', path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}

/** The schema of a rehearsal with checks of its own. */
export function schemaWith(checks: readonly Check[]): typeof rehearsalSchema {
  if (checks.length === 0) return rehearsalSchema;
  const fields: z.core.$ZodLooseShape = Object.assign({}, ...checks.map((check) => check.fields));
  const expecting = <S extends { shape: { expect: z.core.$ZodType } }>(expect: z.ZodMiniObject, step: S): S =>
    z.extend(step as unknown as z.ZodMiniObject, {
      expect: field('What must be true after the step.', z.extend(expect, fields)),
    }) as unknown as S;
  const steps = z.union([expecting(runExpectationSchema, runStepSchema), expecting(expectationSchema, sendStepSchema)]);
  return z.extend(rehearsalSchema, {
    steps: required('The steps.', z.array(steps).check(z.minLength(1))),
  }) as typeof rehearsalSchema;
}
