import { type DiagnosisRule, POSSIBLE } from './rule.js';

/** Something differs from what was expected, and no other rule knows more. */
export const assertionMismatch: DiagnosisRule = {
  type: 'AssertionMismatch',
  explain({ failures }) {
    if (failures.length === 0) return undefined;
    return {
      hypothesis: 'What was observed differs from what the test expects; the failed checks say where.',
      evidence: failures.flatMap(({ evidence }) => evidence.slice(0, 3)),
      investigations: ['Compare expected and actual of each failed check.'],
      fixes: failures.flatMap(({ suggestion }) =>
        suggestion === undefined ? [] : [{ description: suggestion, confidence: POSSIBLE }],
      ),
    };
  },
};
