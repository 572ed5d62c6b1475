import {
  type CheckResult,
  checkConversation,
  checkExpectations,
  checkOnlyExpected,
  nowhere,
} from '@understudy/verdict';
import { describeTurns } from './describe-turns.js';
import { assertSpoken, received } from './observe.js';
import { checksOf, type OwnCheckList } from './own-checks.js';
import { asksNothing, readExpectation } from './read-expectation.js';
import { type Verdict, verdictOf } from './verdict.js';

export interface Judging {
  /** Fails if all of it holds. */
  isNot?: boolean | undefined;
  /** The checks of the user, besides those that the conversation was started with. */
  own?: OwnCheckList | undefined;
}

/**
 * Holds a turn, the start or the end of a conversation, or a whole conversation against the `expect` of a rehearsal's
 * step. That a turn completed is always expected, unless `not` asks for the opposite of what is given.
 */
export function judgeTurn(value: unknown, given: unknown, judging: Judging = {}): Verdict {
  const verdict = verdictOf(checkTurn(value, given, judging), judging.isNot);
  if (verdict.passed) return verdict;
  return { ...verdict, text: `${verdict.text}\n\n${describeTurns(received(value).turns)}`.trimEnd() };
}

/** The checks of it. */
export function checkTurn(
  value: unknown,
  given: unknown,
  { isNot = false, own: more = [] }: Judging = {},
): CheckResult[] {
  const subject = received(value);
  const { seen, turns, what, conversation } = subject;
  const own = [...more, ...checksOf(conversation)];
  const expect = readExpectation(given, own);
  if (what === 'conversation') assertSpoken(subject);
  const results =
    what === 'conversation'
      ? checkConversation(
          seen,
          turns.map(({ number, events }) => ({ number, turn: events })),
          expect,
          own,
        )
      : what === 'start' || what === 'end' || isNot
        ? checkOnlyExpected(seen, expect, nowhere, own)
        : checkExpectations(seen, expect, nowhere, own);
  if (results.length === 0) throw asksNothing();
  return results;
}
