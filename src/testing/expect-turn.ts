import { checkAsked, checkExpectations } from '@understudy/verdict';
import { describeTurns } from './describe-results.js';
import { assertSpoken, received } from './observe.js';
import { readExpectation } from './read-expectation.js';
import { type Verdict, verdictOf } from './verdict.js';

/**
 * Holds a turn, the start or the end of a conversation, or a whole conversation against the `expect` of a rehearsal's
 * step. That a turn completed is always expected, unless `not` asks for the opposite of what is given.
 */
export function expectOf(value: unknown, given: unknown, isNot = false): Verdict {
  const seen = received(value);
  const expect = readExpectation(given);
  const isPart = seen.what === 'start' || seen.what === 'end';
  if (!isPart) assertSpoken(seen);
  const results = isPart || isNot ? checkAsked(seen.seen, expect) : checkExpectations(seen.seen, expect);
  const verdict = verdictOf(results, isNot);
  return verdict.passed ? verdict : { ...verdict, text: `${verdict.text}\n\n${describeTurns(seen.turns)}` };
}
