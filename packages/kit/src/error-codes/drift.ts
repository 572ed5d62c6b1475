/** Comparing versions of an agent. */
export const driftCodes = {
  DRIFT_TOO_FEW_AGENTS: {
    meaning: 'A comparison needs two programs.',
    fix: 'Name two: --agent claude@2.1.197 --agent claude@2.1.325, or one and --stand-in.',
  },
  DRIFT_AGENT_UNSUPPORTED: {
    meaning: 'The inputs of `understudy drift` are for Claude Code; there are none for this agent.',
    fix: 'Name versions of claude, or stand-in.',
  },
  DRIFT_NO_CASES: {
    meaning: 'No input of the comparison has this text in its name.',
    fix: 'List the inputs with `understudy drift --list`.',
  },
  BISECT_WRONG_ENDS: {
    meaning:
      'The two ends of a bisection are not what they are called: the good one fails, the bad one passes, or they are in the wrong order.',
    fix: 'Run the rehearsal with both versions first: understudy run FILE --agent claude@VERSION.',
  },
  BISECT_UNKNOWN_VERSION: {
    meaning: 'npm has no such version of the agent.',
    fix: 'List the versions with `npm view PACKAGE versions`.',
  },
} as const;
