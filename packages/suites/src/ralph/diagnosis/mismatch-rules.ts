import { type Explanation, LIKELY, lastLines, POSSIBLE, quote, SEEN } from '@understudy/verdict';
import type { FailedProgram, ProgramRule } from './failed-program.js';

/** Something differs from what was expected, and no other rule knows more. */
export const programMismatch: ProgramRule = {
  type: 'AssertionMismatch',
  explain(failed) {
    if (failed.failures.length === 0) return undefined;
    return (
      leftovers(failed) ?? otherWriter(failed) ?? fileMissing(failed) ?? unwantedWords(failed) ?? otherBackend(failed)
    );
  },
};

function leftovers(failed: FailedProgram): Explanation | undefined {
  if (failed.about('processes').length === 0) return undefined;
  return {
    hypothesis: 'The orchestrator ended and left processes behind.',
    evidence: [],
    investigations: ['Find out how the agent is started (its process group) and what is ended with it.'],
    fixes: [
      {
        description: 'Start the agent in a process group of its own and end the whole group',
        confidence: LIKELY,
        file_to_modify: 'the part of the orchestrator that starts and ends the agent',
      },
    ],
  };
}

/** What was to be remembered is not in the file: then it cannot be in a prompt either. */
export const memoryLost: ProgramRule = {
  type: 'AssertionMismatch',
  explain(failed) {
    if (!failed.about('file').some(({ subject }) => subject.path.endsWith('memories.md'))) return undefined;
    return {
      hypothesis: 'The memory file does not have what was to be remembered.',
      evidence: failed.iterations.flatMap(({ iteration, stderr }) =>
        stderr === undefined || stderr.trim() === ''
          ? []
          : [`iteration ${iteration} reported ${quote(lastLines(stderr))}`],
      ),
      investigations: ['Find out whether the memory command was called, what it said, and which file it wrote.'],
      fixes: [
        {
          description: 'Fix how memories are written: where, into which section, and without losing what is there',
          confidence: LIKELY,
          file_to_modify: 'the part of the orchestrator that writes memories',
        },
      ],
    };
  },
};

/** The event was published, but by another hat. */
function otherWriter(failed: FailedProgram): Explanation | undefined {
  const writers = failed.about('event').flatMap(({ subject: { topic, by } }) => {
    const found = failed.context?.events_emitted.filter((event) => event.topic === topic) ?? [];
    return by === undefined
      ? []
      : found.map((event) => `${topic} was published by ${event.source_hat ?? 'no hat'}, not by ${by}`);
  });
  if (writers.length === 0) return undefined;
  return {
    hypothesis: 'The event was published under another hat than the one that should have written it.',
    evidence: writers,
    investigations: ['Find out which hat was on in the iteration that wrote the event.'],
    fixes: [],
  };
}

function fileMissing(failed: FailedProgram): Explanation | undefined {
  const [first] = failed.about('file');
  if (first === undefined) return undefined;
  const idle = failed.iterations.filter(({ tool_calls: calls }) => calls === 0);
  const onlyWords = first.present === false && idle.length > 0 && idle.length === failed.iterations.length;
  return {
    hypothesis: onlyWords
      ? 'The file does not exist, and the agent used no tool: it may have claimed work that it did not do.'
      : 'A file of the workspace is missing, or does not have what it should have.',
    evidence: onlyWords
      ? idle.map(({ iteration, output }) => `iteration ${iteration} used no tool and said ${quote(output ?? '')}`)
      : [],
    investigations: ['Look at the files of the workspace in the report.'],
    fixes: [],
  };
}

/** Words or events that should not have been there. */
function unwantedWords(failed: FailedProgram): Explanation | undefined {
  const events = failed.about('event').filter(({ subject }) => !subject.wanted);
  const prompts = failed.about('prompt').filter(({ subject }) => !subject.wanted);
  if (events.length + prompts.length === 0) return undefined;
  return {
    hypothesis: 'Something is there that must not be there: the orchestrator read or passed on too much.',
    evidence: [],
    investigations: ['Find out where these words or events come from.'],
    fixes: [
      {
        description:
          events.length > 0
            ? 'Take only well-formed events from the output'
            : 'Give each hat what is meant for it, and nothing else',
        confidence: POSSIBLE,
        file_to_modify: 'the part of the orchestrator that reads events or builds prompts',
      },
    ],
  };
}

/** A hat that asks for a backend and ran on another. */
function otherBackend(failed: FailedProgram): Explanation | undefined {
  const wrong = failed.iterations.flatMap(({ iteration, hat = '', backend }) => {
    const written = failed.configured('hats', hat, 'backend', 'type') ?? failed.configured('hats', hat, 'backend');
    return typeof written !== 'string' || backend === undefined || written === backend
      ? []
      : [`ralph.yml has the backend ${written} for ${hat}, and iteration ${iteration} ran on ${backend}`];
  });
  if (wrong.length === 0) return undefined;
  return {
    hypothesis: 'A hat did not run on the backend that it names.',
    evidence: wrong,
    investigations: ['Find out where the backend of an iteration is chosen.'],
    fixes: [
      {
        description: 'Let the backend of the hat override the backend of the loop',
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that starts the agent',
      },
    ],
  };
}
