/** Cases of `claude plugin eval`. */
export const evalCodes = {
  EVAL_NOT_RUN: {
    meaning:
      'A case of `claude plugin eval` did not run to its end: a rate limit, a timeout, or a fault of the case itself.',
    fix: 'Run it on the stage `scripted` first; if it passes there, try again later.',
  },
  EVAL_UNREADABLE: {
    meaning: '`claude plugin eval` has written no result, or one that Understudy does not understand.',
    fix: 'Run `claude plugin eval` by hand; use the pinned version of Claude Code.',
  },
} as const;
