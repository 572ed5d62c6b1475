import { parseEvents } from '../../orchestrators/loop/events.js';
import { quote } from '../quote.js';
import { type FailedCase, iterationOf, type ReportedIteration } from './failed-case.js';
import { LIKELY, POSSIBLE, type Rule, SEEN, tellAssertion } from './rule.js';

const PROMPT_BUILDER = 'the part of the orchestrator that builds the prompt';

/** What the agent should have been told did not reach it. */
export const notInjected: Rule = {
  type: 'PromptIneffective',
  explain(failed) {
    const lacking = [...lackingByAssertion(failed), ...lackingBehindOutputs(failed)];
    if (lacking.length === 0) return undefined;
    return {
      hypothesis:
        'The agent could not do what the case expects, because it was not told: it was not injected into the prompt.',
      evidence: [...new Set(lacking)],
      investigations: ['Read the prompt of the iteration in the report and look for the missing part.'],
      fixes: [
        { description: 'Put the missing part into the prompt', confidence: SEEN, file_to_modify: PROMPT_BUILDER },
        {
          description: 'See that the setting which asks for it is on, and that no budget cuts it off',
          confidence: POSSIBLE,
          file_to_modify: 'ralph.yml',
        },
      ],
    };
  },
};

/** Assertions that look for words in a prompt that was sent. */
function lackingByAssertion(failed: FailedCase): string[] {
  return failed.of('PromptEffectiveness').flatMap((assertion) => {
    const sent = iterationAt(failed, iterationOf(assertion, 'prompt'));
    return sent !== undefined && / has /.test(assertion.name) ? [tellAssertion(assertion)] : [];
  });
}

/** An answer that was not given: was the agent told what it needed for it? */
function lackingBehindOutputs(failed: FailedCase): string[] {
  return failed.of('OutputContains').flatMap((assertion) => {
    const iteration = iterationAt(failed, iterationOf(assertion, 'output'));
    return iteration === undefined ? [] : lackingIn(failed, iteration);
  });
}

/** What ought to be in the prompt of an iteration, and is not. */
function lackingIn(failed: FailedCase, { iteration, hat, prompt }: ReportedIteration): string[] {
  const objective = failed.context?.prompt_content.trim() ?? '';
  const instructions = failed.instructionsOf(hat);
  const before = failed.iterations.find((other) => other.iteration === iteration - 1);
  const events = before?.failed === true ? [] : parseEvents(before?.output ?? '');
  const start = iteration === 1 ? failed.context?.events_emitted[0]?.topic : undefined;
  const lacks = (words: string) => words !== '' && !prompt.includes(words);
  return [
    ...(lacks(objective) ? [`prompt ${iteration} lacks the objective ${quote(objective)}`] : []),
    ...(lacks(instructions) ? [`prompt ${iteration} lacks the instructions of ${hat}: ${quote(instructions)}`] : []),
    ...(start !== undefined && lacks(start) ? [`prompt 1 lacks the event ${start}, with which the loop began`] : []),
    ...events
      .filter(({ topic }) => lacks(topic))
      .map(({ topic }) => `prompt ${iteration} lacks the event ${topic}, which iteration ${iteration - 1} wrote`),
  ];
}

function iterationAt({ iterations }: FailedCase, number: number | undefined): ReportedIteration | undefined {
  return number === undefined ? undefined : iterations[number - 1];
}

/** What should be the agent's words is the raw stream of its CLI. */
export const unparsedStream: Rule = {
  type: 'AssertionMismatch',
  explain(failed) {
    const raw =
      failed.of('OutputContains', 'Custom').length === 0
        ? []
        : failed.iterations.filter(({ output }) => RAW_EVENT.test(output ?? ''));
    if (raw.length === 0) return undefined;
    return {
      hypothesis: 'The orchestrator takes the raw events of the CLI for the agent’s words.',
      evidence: raw.map(
        ({ iteration, output }) => `iteration ${iteration} is recorded as saying ${quote(output ?? '')}`,
      ),
      investigations: ['See how the output of this backend is read.'],
      fixes: [
        {
          description: 'Read the stream as events and take the text out of them',
          confidence: SEEN,
          file_to_modify: 'the part of the orchestrator that reads the agent’s output',
        },
      ],
    };
  },
};

const RAW_EVENT = /^\{"type":"(?:system|assistant|result)"/m;

/** The agent was told, and did otherwise. */
export const notFollowed: Rule = {
  type: 'PromptIneffective',
  explain(failed) {
    const unsaid = failed.of('OutputContains').flatMap((assertion) => {
      const iteration = iterationAt(failed, iterationOf(assertion, 'output'));
      return iteration?.output === undefined ? [] : [{ assertion, iteration }];
    });
    if (unsaid.length === 0) return undefined;
    return {
      hypothesis: 'The agent was given what it needed, and did not act on it.',
      evidence: unsaid.flatMap(({ iteration: { iteration, hat, output = '' } }) => {
        const told = failed.instructionsOf(hat) || (failed.context?.prompt_content ?? '');
        return [`prompt ${iteration} has ${quote(told)}`, `iteration ${iteration} said ${quote(output)}`];
      }),
      investigations: [
        'Read prompt and output of the iteration together: what stands between the instruction and its end?',
      ],
      fixes: [
        {
          description: 'Make the instruction more prominent: earlier, shorter, as a rule and not as a wish',
          confidence: LIKELY,
          file_to_modify: 'ralph.yml',
        },
      ],
    };
  },
};
