import { asEvidence, LIKELY, POSSIBLE, quote, SEEN } from '@understudy/verdict';
import type { ProgramIteration } from '../../orchestrators/context-schema.js';
import type { FailedProgram, ProgramRule } from './failed-program.js';

const PROMPT_BUILDER = 'the part of the orchestrator that builds the prompt';

/** What the agent should have received did not reach it. */
export const notInjected: ProgramRule = {
  type: 'PromptIneffective',
  explain(failed) {
    const lacking = [...lackingByCheck(failed), ...lackingBehindOutputs(failed)];
    if (lacking.length === 0) return undefined;
    return {
      hypothesis:
        'The agent could not do what the case expects, because its prompt lacks the instruction: it was not injected.',
      evidence: [...new Set(lacking)],
      investigations: ['Read the prompt of the iteration in the report and look for the missing part.'],
      fixes: [
        { description: 'Put the missing part into the prompt', confidence: SEEN, file_to_modify: PROMPT_BUILDER },
        {
          description: 'Make sure that the setting which asks for it is read, and that no budget cuts it off',
          confidence: POSSIBLE,
          file_to_modify: 'the part of the orchestrator that reads ralph.yml',
        },
      ],
    };
  },
};

/** Checks that look for words in a prompt that was sent. */
function lackingByCheck(failed: FailedProgram): string[] {
  return failed
    .about('prompt')
    .filter(({ subject: { iteration, wanted } }) => wanted && failed.iterations[iteration - 1] !== undefined)
    .map(asEvidence);
}

/** An answer that was not given: did the agent receive what it needed for it? */
function lackingBehindOutputs(failed: FailedProgram): string[] {
  return iterationsWithoutOutput(failed).flatMap((iteration) => lackingIn(failed, iteration));
}

/** The iterations in which the agent did not say what it should have said. */
function iterationsWithoutOutput(failed: FailedProgram): ProgramIteration[] {
  return failed.about('output').flatMap(({ subject: { of, number } }) => {
    const iteration = of === 'agent' ? failed.iterations[number - 1] : undefined;
    return iteration === undefined ? [] : [iteration];
  });
}

/** What the prompt of an iteration should have, and has not. */
function lackingIn(failed: FailedProgram, { iteration, hat, prompt }: ProgramIteration): string[] {
  if (prompt === undefined) return [];
  const objective = failed.context?.prompt_content.trim() ?? '';
  const instructions = failed.instructionsOf(hat);
  const before = failed.iterations.find((other) => other.iteration === iteration - 1);
  const written = before?.failed === true ? [] : (before?.events_written ?? []);
  const start = iteration === 1 ? failed.context?.events_emitted[0]?.topic : undefined;
  const shown = inPrompt(failed, iteration);
  const lacks = (words: string) => words !== '' && !prompt.includes(words) && !shown.some((one) => words.includes(one));
  return [
    ...(lacks(objective) ? [`prompt ${iteration} lacks the objective ${quote(objective)}`] : []),
    ...(lacks(instructions) ? [`prompt ${iteration} lacks the instructions of ${hat}: ${quote(instructions)}`] : []),
    ...(start !== undefined && lacks(start) ? [`prompt 1 lacks the event ${start}, with which the loop began`] : []),
    ...written
      .filter(lacks)
      .map((topic) => `prompt ${iteration} lacks the event ${topic}, which iteration ${iteration - 1} wrote`),
  ];
}

/** Words that a check found in the prompt: what they are a part of was there, in whatever form. */
function inPrompt({ checks }: FailedProgram, iteration: number): string[] {
  return checks.flatMap(({ status, subject }) =>
    status === 'passed' && subject.kind === 'prompt' && subject.wanted && subject.iteration === iteration
      ? [subject.words]
      : [],
  );
}

/** The text that should be the agent's words is the raw stream of its CLI. */
export const unparsedStream: ProgramRule = {
  type: 'AssertionMismatch',
  explain(failed) {
    const textFailed = failed.about('output').length + failed.about('condition').length + failed.about('hats').length;
    const raw = textFailed === 0 ? [] : failed.iterations.filter(({ output }) => RAW_EVENT.test(output ?? ''));
    if (raw.length === 0) return undefined;
    return {
      hypothesis: 'The orchestrator takes the raw events of the CLI for the agent’s words.',
      evidence: raw.map(({ iteration, output }) => `the record of iteration ${iteration} has ${quote(output ?? '')}`),
      investigations: ['Find out how the output of this backend is read.'],
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

/** The agent had the instruction, and did something else. */
export const notFollowed: ProgramRule = {
  type: 'PromptIneffective',
  explain(failed) {
    const unsaid = iterationsWithoutOutput(failed).filter(({ output }) => output !== undefined);
    if (unsaid.length === 0) return undefined;
    return {
      hypothesis: 'The agent was given what it needed, and did not act on it.',
      evidence: unsaid.flatMap(({ iteration, hat, output = '' }) => {
        const told = failed.instructionsOf(hat) || (failed.context?.prompt_content ?? '');
        return [`prompt ${iteration} has ${quote(told)}`, `iteration ${iteration} said ${quote(output)}`];
      }),
      investigations: [
        'Read prompt and output of the iteration together: what comes between the instruction and its end?',
      ],
      fixes: [
        {
          description: 'Make the instruction more prominent in the prompt: earlier, and apart from everything else',
          confidence: LIKELY,
          file_to_modify: PROMPT_BUILDER,
        },
      ],
    };
  },
};
