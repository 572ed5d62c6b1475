import {
  InvalidDocumentError,
  locateProblems,
  UnderstudyError,
  type UnlocatedProblem,
  validate,
} from '@understudy/kit';
import { protocolNames } from '@understudy/model';
import {
  type Expectation,
  expectations,
  type RunExpectation,
  reviewExpectation,
  reviewRunExpectation,
  runExpectationSchema,
  type Written,
} from '@understudy/verdict';
import * as z from 'zod/mini';
import type { OwnCheckList } from './own-checks.js';

/** A screen needs a terminal: tests in code have none. */
const turnSchema = z.omit(expectations.step, { screen: true });
const runSchema = z.omit(runExpectationSchema, { screen: true });

/** What a test can say of a turn, of the start or the end of a conversation, or of a whole conversation. */
export type TurnExpectation = Written<typeof turnSchema>;
/** What a test can say of a program, and of the agents that it called. */
export type ProgramExpectation = Written<typeof runSchema>;

/** The `expect` of a rehearsal's step. */
export function readExpectation(given: unknown, own: OwnCheckList): Expectation {
  return read(withOwn(turnSchema, own), given, (expect) => reviewExpectation(expect, [], 'unknown', own));
}

/** The `expect` of a `run` step. */
export function readRunExpectation(given: unknown, agents: readonly string[], own: OwnCheckList): RunExpectation {
  const known = { agents, protocols: protocolNames };
  return read(withOwn(runSchema, own), given, (expect) => reviewRunExpectation(expect, [], known, own));
}

function withOwn<S extends z.ZodMiniObject>(schema: S, own: OwnCheckList): S {
  return own.length === 0
    ? schema
    : (z.extend(schema, Object.assign({}, ...own.map(({ fields }) => fields))) as unknown as S);
}

function read<T extends object>(
  schema: z.core.$ZodType<T>,
  value: unknown,
  review: (expect: T) => UnlocatedProblem[],
): T {
  const validation = validate(schema, value);
  const findings = validation.value === undefined ? validation.findings : review(validation.value);
  if (findings.length > 0)
    throw new InvalidDocumentError('EXPECTATION_INVALID', 'the expectation', locateProblems({}, findings));
  const expect = validation.value as T;
  if (Object.values(expect).some((one) => one !== undefined)) return expect;
  throw asksNothing();
}

export function asksNothing(): UnderstudyError {
  return new UnderstudyError('EXPECTS_NOTHING', 'the expectation asks for nothing, so it could never fail', {
    fix: 'Say what must hold.',
  });
}
