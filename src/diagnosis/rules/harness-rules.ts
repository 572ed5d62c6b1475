import { POSSIBLE, type Rule } from './rule.js';

/** The harness could not run the case: it says nothing about the orchestrator. */
export const harnessError: Rule = {
  type: 'HarnessError',
  explain({ result }) {
    if (!result.harness_error) return undefined;
    return {
      hypothesis: 'The harness could not run this case, so there is no verdict on the orchestrator.',
      evidence: result.reason === undefined ? [] : [result.reason],
      investigations: ['Run the case alone; when it fails again, the reason above is the thing to follow.'],
      fixes: [],
    };
  },
};

/** Everything held, but it held without the thing under test, too. */
export const baselineGreen: Rule = {
  type: 'BaselineGreen',
  explain({ result, failures }) {
    const green = result.baselines.filter(({ red }) => !red);
    if (failures.length > 0 || green.length === 0) return undefined;
    return {
      hypothesis:
        'The case passes, and goes on passing when the thing under test is taken away. Either the orchestrator does ' +
        'not use that setting, or the assertions would hold without it.',
      evidence: green.map(
        ({ condition, still_green: names }) => `with the change "${condition}" these still held: ${names.join('; ')}`,
      ),
      investigations: green.map(
        ({ condition, expected_failure: expected }) =>
          `Run the variant "${condition}" by hand and see why this does not happen: ${expected}.`,
      ),
      fixes: [
        {
          description: 'Make the orchestrator honour the setting that the variant changes',
          confidence: POSSIBLE,
          file_to_modify: 'the part of the orchestrator that reads this setting of ralph.yml',
        },
        {
          description: 'Assert something that only the thing under test can bring about',
          confidence: POSSIBLE,
          file_to_modify: `the case ${result.case_id} of the suite`,
        },
      ],
    };
  },
};
