import { countOf } from '@understudy/kit';
import type { StepResult } from '../../results/entry-result.js';
import { quote } from '../quote.js';
import type { CheckOf, FailedEntry } from './failed-entry.js';
import { type DiagnosisRule, LIKELY, POSSIBLE } from './rule.js';

interface BadEnd {
  step: StepResult;
  check: CheckOf<'exit_code'>;
}

/** The first program of a `run` step that did not end as it must. */
function badEnd(failed: FailedEntry): BadEnd | undefined {
  const ends = failed.about('exit_code');
  const found = failed.result.steps.flatMap((step) =>
    step.run === undefined ? [] : ends.filter((check) => step.checks.includes(check)).map((check) => ({ step, check })),
  );
  return found[0];
}

/** A program called an agent that is not in place, or a real service. */
export const serviceCalled: DiagnosisRule = {
  type: 'ConfigurationError',
  explain(failed) {
    const [check] = failed.result.steps.some(({ run }) => run !== undefined) ? failed.about('service') : [];
    if (check === undefined) return undefined;
    return {
      hypothesis: `The program called what it must not reach: ${check.subject.names.join(', ') || check.actual}.`,
      evidence: [...check.evidence],
      investigations: [
        'Look for the agent in `agents`, and for an address in the program that the environment does not change.',
      ],
      fixes: [{ description: check.suggestion ?? 'Name the agent in `agents`', confidence: LIKELY }],
    };
  },
};

/** A program that failed or hung: rules that nobody used and calls that are missing follow from it. */
export const programFailed: DiagnosisRule = {
  type: 'UnexpectedTermination',
  explain(failed) {
    const found = badEnd(failed);
    if (found === undefined) return undefined;
    const { step, check } = found;
    const calls = step.run?.calls ?? [];
    const when = calls.length === 0 ? 'before it called an agent' : `after ${countOf(calls.length, 'call')}`;
    return {
      hypothesis: `The program of step ${step.number} did not end as expected: ${check.actual}, ${when}.`,
      evidence: [`step ${step.number} ran ${quote(step.send)}`, ...check.evidence],
      investigations: ['Read what the program printed, then the last call that it made.'],
      fixes: [
        // What it printed may be its usual output: that it is the cause was not seen.
        ...(check.evidence.length === 0
          ? []
          : [{ description: 'Correct what the program says in the evidence', confidence: LIKELY }]),
        { description: 'Expect another `exit_code` if this is how it must end', confidence: POSSIBLE },
      ],
    };
  },
};
