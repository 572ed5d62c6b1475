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
} from '@understudy/verdict';
import * as z from 'zod/mini';

/** A screen needs a terminal: tests in code have none. */
const turnSchema = z.omit(expectations.step, { screen: true });
const runSchema = z.omit(runExpectationSchema, { screen: true });

/** What a test expects of a turn: the `expect` of a rehearsal's step. */
export function readExpectation(given: unknown): Expectation {
  return read(turnSchema, given, (expect) => reviewExpectation(expect, [], 'unknown'));
}

/** What a test expects of a program and its calls: the `expect` of a `run` step. */
export function readRunExpectation(given: unknown, agents: readonly string[]): RunExpectation {
  return read(runSchema, given, (expect) => reviewRunExpectation(expect, [], { agents, protocols: protocolNames }));
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
  throw new UnderstudyError('EXPECTS_NOTHING', 'the expectation asks for nothing, so it could never fail', {
    fix: 'Say what must hold.',
  });
}
