import { describeFailure, LIKELY, POSSIBLE, type Rule, SEEN } from './rule.js';

/** The harness could not run the entry: this says nothing about what is under test. */
export const harnessError: Rule = {
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
export const notJudged: Rule = {
  type: 'NotJudged',
  explain({ result: { status }, checks }) {
    if (status !== 'unjudged') return undefined;
    const unjudged = checks.filter((check) => check.status === 'unjudged');
    return {
      hypothesis:
        checks.length === 0
          ? 'No check was made, so nothing is known.'
          : 'Nothing failed, but a check could not be made: what it looks at was not recorded.',
      evidence: unjudged.map(describeFailure),
      investigations: ['Find out why it was not recorded: the agent or the program may not report it on this stage.'],
      fixes: unjudged.flatMap(({ suggestion }) =>
        suggestion === undefined ? [] : [{ description: suggestion, confidence: POSSIBLE }],
      ),
    };
  },
};

/** It was refused, or ended at a limit: what else failed may follow from that. */
export const triedOutside: Rule = {
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

/** All checks passed, and they pass without the thing under test, too. */
export const baselineGreen: Rule = {
  type: 'BaselineGreen',
  explain({ result, failures }) {
    const green = (result.baselines ?? []).filter(({ red }) => !red);
    if (failures.length > 0 || green.length === 0) return undefined;
    return {
      hypothesis:
        'The case passes, and it still passes when the thing under test is taken away. Either the orchestrator does ' +
        'not use that setting, or the checks would hold without it.',
      evidence: green.map(
        ({ condition, still_green: names }) => `with the change "${condition}" these did not fail: ${names.join('; ')}`,
      ),
      investigations: green.map(
        ({ condition, expected_failure: expected }) =>
          `Run the variant "${condition}" by hand and find out why this does not happen: ${expected}.`,
      ),
      fixes: [
        {
          description: 'Make the orchestrator use the setting that the variant changes',
          confidence: POSSIBLE,
          file_to_modify: 'the part of the orchestrator that reads this setting of ralph.yml',
        },
        {
          description: 'If the orchestrator does use it, report it to Understudy: the checks hold without it',
          confidence: POSSIBLE,
        },
      ],
    };
  },
};
