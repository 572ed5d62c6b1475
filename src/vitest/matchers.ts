import { describeTurn, normalize } from '@understudy/runner';
import { expect, type MatcherState, Snapshots } from 'vitest';
import { judgeTurn } from '../testing/judge-turn.js';
import { assertSpoken, received } from '../testing/observe.js';
import { readably } from '../testing/readable-error.js';
import { judgeProgram, ProgramResult } from '../testing/run-program.js';

const matchers = {
  toMeet(this: MatcherState, value: unknown, expectation: unknown) {
    const { isNot, utils } = this;
    const isProgram = value instanceof ProgramResult;
    const { passed, text } = readably(() =>
      isProgram ? judgeProgram(value, expectation, { isNot }) : judgeTurn(value, expectation, { isNot }),
    );
    const what = isProgram ? 'program' : received(value).what;
    return {
      // Whether it fails is decided: what could not be judged does, with `not`, too.
      pass: isNot ? !passed : passed,
      message: () => `${utils.matcherHint('toMeet', what, utils.stringify(expectation), { isNot })}\n\n${text}`,
    };
  },
  toMatchConversationSnapshot(this: MatcherState, value: unknown, hint?: string) {
    const seen = readably(() => received(value));
    readably(() => assertSpoken(seen));
    const { conversation, turns } = seen;
    const told = seen.what === 'conversation' ? turns : turns.slice(-1);
    const text = told.map(describeTurn).join('\n\n');
    const plain = conversation === undefined ? text : normalize(text, conversation);
    return Snapshots.toMatchSnapshot.call(this, plain, hint);
  },
};

/** Makes the matchers known to `expect`. */
export function registerMatchers(): void {
  expect.extend(matchers);
}
