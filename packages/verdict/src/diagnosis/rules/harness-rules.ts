import { asEvidence, type DiagnosisRule, LIKELY, POSSIBLE, SEEN } from './rule.js';

/** The harness could not run the entry: this says nothing about what is under test. */
export const harnessError: DiagnosisRule = {
  type: 'HarnessError',
  explain({ result: { status, error } }) {
    if (status !== 'error') return undefined;
    return {
      hypothesis: 'The harness could not run this test, so there is no verdict on what is under test.',
      evidence: error === undefined ? [] : [`${error.code}: ${error.message}`],
      investigations: ['Run the test alone. If it fails again, start with the message above.'],
      fixes: error?.fix === undefined ? [] : [{ description: error.fix, confidence: SEEN }],
    };
  },
};

/** Nothing failed, but a check could not be made. */
export const notJudged: DiagnosisRule = {
  type: 'NotJudged',
  explain({ result: { status }, checks }) {
    if (status !== 'unjudged') return undefined;
    const unjudged = checks.filter((check) => check.status === 'unjudged');
    return {
      hypothesis:
        checks.length === 0
          ? 'No check was made, so nothing is known.'
          : 'Nothing failed, but a check could not be made: what it looks at was not recorded.',
      evidence: unjudged.map(asEvidence),
      investigations: ['Find out why it was not recorded: the agent or the program may not report it on this stage.'],
      fixes: unjudged.flatMap(({ suggestion }) =>
        suggestion === undefined ? [] : [{ description: suggestion, confidence: POSSIBLE }],
      ),
    };
  },
};

/** It was refused, or ended at a limit: what else failed may follow from that. */
export const triedOutside: DiagnosisRule = {
  type: 'TriedOutside',
  explain(failed) {
    const [escapes] = failed.about('escapes');
    if (escapes === undefined) return undefined;
    const others = failed.checks.filter(({ status }) => status === 'failed').length > 1;
    return {
      hypothesis: `Something was tried that the sandbox does not allow, or a limit was reached${
        others ? '. The other failures may follow from it' : ''
      }.`,
      evidence: escapes.evidence,
      investigations: ['Find the tool call, hook or program that did it: the evidence has its path, port or amount.'],
      fixes: [
        {
          description: 'Keep the agent and its programs within the project and the services of the test',
          confidence: LIKELY,
        },
        {
          description: 'If it is meant, write `escapes = "any"` into the rehearsal, or use `--isolation none`',
          confidence: POSSIBLE,
        },
      ],
    };
  },
};
