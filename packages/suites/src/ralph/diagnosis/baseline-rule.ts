import { POSSIBLE } from '@understudy/verdict';
import type { ProgramRule } from './failed-program.js';

/** All checks passed, and they pass without the thing under test, too. */
export const baselineGreen: ProgramRule = {
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
