import { AssertionError } from 'node:assert';
import type { Conversation, SessionPart, Turn } from '@understudy/stage';
import { type OwnCheck, type OwnChecks, type OwnExpectation, ownCheck } from '@understudy/verdict';
import { type Judging, judgeTurn } from '../testing/judge-turn.js';
import type { ProgramExpectation, TurnExpectation } from '../testing/read-expectation.js';
import { readably } from '../testing/readable-error.js';
import { judgeProgram, type ProgramResult } from '../testing/run-program.js';
import type { Verdict } from '../testing/verdict.js';

export interface ExpectOptions<C extends OwnChecks = Record<never, never>> {
  /** Fails if all of it holds. */
  not?: boolean;
  /** Checks of your own, each by the prefix that its fields have in the expectation. */
  checks?: C;
}

/**
 * Holds a turn, a whole conversation, or its start or end (`conversation.start`, `conversation.ending`) against the
 * `expect` of a rehearsal. A turn is always expected to complete. Throws an AssertionError that says what was
 * expected, what was seen, and what to do.
 */
export function expectTurn<C extends OwnChecks = Record<never, never>>(
  turn: Turn | Conversation | SessionPart,
  expectation: TurnExpectation & OwnExpectation<NoInfer<C>>,
  options: ExpectOptions<C> = {},
): void {
  hold(
    readably(() => judgeTurn(turn, expectation, judging(options))),
    expectTurn,
  );
}

/** The same for what `runProgram` gives: the `expect` of a `run` step. */
export function expectRun<C extends OwnChecks = Record<never, never>>(
  result: ProgramResult,
  expectation: ProgramExpectation & OwnExpectation<NoInfer<C>>,
  options: ExpectOptions<C> = {},
): void {
  hold(
    readably(() => judgeProgram(result, expectation, judging(options))),
    expectRun,
  );
}

function judging({ not, checks = {} }: { not?: boolean; checks?: OwnChecks }): Judging {
  const named = Object.entries(checks) as [string, OwnCheck][];
  return { isNot: not, own: named.map(([prefix, check]) => ownCheck(prefix, check, `the check ${prefix}`)) };
}

/** The message says all: without values to compare, runners show nothing twice. */
function hold({ passed, text: message }: Verdict, stackStartFn: (...args: never[]) => void): void {
  if (!passed) throw new AssertionError({ message, operator: 'fail', stackStartFn });
}

export type { SeenCall } from '@understudy/verdict';
export type { ProgramExpectation, TurnExpectation } from '../testing/read-expectation.js';
export { type ProgramResult, type RunProgramOptions, runProgram } from '../testing/run-program.js';
