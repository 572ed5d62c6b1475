import type { StepResult } from '../../results/entry-result.js';
import { quote } from '../quote.js';
import type { CheckOf, FailedEntry } from './failed-entry.js';
import { type DiagnosisRule, LIKELY, POSSIBLE } from './rule.js';

/** A step whose turn ended in a way that the test does not expect. */
interface BadEnding {
  step: StepResult;
  check: CheckOf<'turn'>;
}

function badEnding(failed: FailedEntry, isIt: (ending: BadEnding) => boolean): BadEnding | undefined {
  const turns = failed.about('turn');
  return failed.result.steps
    .flatMap((step) => turns.filter((check) => step.checks.includes(check)).map((check) => ({ step, check })))
    .find(isIt);
}

function describeStep({ number, send }: StepResult): string {
  return `step ${number} sent ${quote(send)}`;
}

/** A slash command that the agent does not have. */
export const unknownCommand: DiagnosisRule = {
  type: 'UnknownCommand',
  explain(failed) {
    const found = badEnding(failed, ({ check }) => check.subject.unknown_command !== undefined);
    if (found === undefined) return undefined;
    const { step, check } = found;
    return {
      hypothesis: `The agent does not have the command ${check.subject.unknown_command}.`,
      evidence: [describeStep(step), ...check.evidence],
      investigations: ['Run `understudy plugin PATH` to see which commands the plugin really has.'],
      fixes: [
        { description: check.suggestion ?? 'Load the plugin that has the command', confidence: LIKELY },
        { description: 'Correct the name of the command in the step', confidence: POSSIBLE },
      ],
    };
  },
};

/** A turn that took too long. */
export const turnTimedOut: DiagnosisRule = {
  type: 'TimeoutExceeded',
  explain(failed) {
    const found = badEnding(failed, ({ step }) => step.outcome === 'timed_out');
    if (found === undefined) return undefined;
    return {
      hypothesis: `The turn of step ${found.step.number} did not end in time.`,
      evidence: [describeStep(found.step), ...found.check.evidence],
      investigations: ['Read the last events of the turn: a tool, a hook or a permission prompt may still be waiting.'],
      fixes: [{ description: 'Raise `timeout_ms` of the step if the turn needs more time', confidence: POSSIBLE }],
    };
  },
};

/** A prompt that a hook did not let through. */
export const promptBlocked: DiagnosisRule = {
  type: 'HookMismatch',
  explain(failed) {
    const found = badEnding(failed, ({ step }) => step.reason === 'blocked_by_hook');
    if (found === undefined) return undefined;
    return {
      hypothesis: `A hook blocked the prompt of step ${found.step.number}, so the agent did nothing.`,
      evidence: [describeStep(found.step), ...found.check.evidence],
      investigations: ['Read the output of the UserPromptSubmit hooks in the events of the turn.'],
      fixes: [{ description: 'Change the hook, or send a prompt that it allows', confidence: POSSIBLE }],
    };
  },
};

/** The agent's process ended too early, or its turn failed. */
export const turnFailed: DiagnosisRule = {
  type: 'BackendError',
  explain(failed) {
    const { agent, steps } = failed.result;
    const unreached = steps.find(({ reached }) => !reached);
    const found = badEnding(failed, ({ step }) => step.outcome !== undefined && step.outcome !== 'completed');
    if (found === undefined && unreached === undefined) return undefined;
    const step = found?.step;
    const why = step?.reason === undefined || step.reason === step.outcome ? '' : ` (${step.reason})`;
    return {
      hypothesis:
        step === undefined
          ? `The conversation with ${agent} ended before step ${unreached?.number}.`
          : step.outcome === 'died'
            ? `The process of ${agent} ended in the middle of step ${step.number}.`
            : `The turn of step ${step.number} ended as ${step.outcome}${why}.`,
      evidence: [
        ...(found === undefined ? [] : [describeStep(found.step), ...found.check.evidence]),
        ...(unreached === undefined ? [] : [`step ${unreached.number} was not reached`]),
      ],
      investigations: ['Read the last events of the conversation, and what the agent wrote to stderr.'],
      fixes: [],
    };
  },
};
