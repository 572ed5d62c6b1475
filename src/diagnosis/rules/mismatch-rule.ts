import { lastLines, quote } from '../quote.js';
import type { FailedCase } from './failed-case.js';
import { LIKELY, POSSIBLE, type Rule, SEEN } from './rule.js';

/** Something was found to be otherwise, and no other rule knows more. */
export const assertionMismatch: Rule = {
  type: 'AssertionMismatch',
  explain(failed) {
    if (failed.failures.length === 0) return undefined;
    return (
      leftovers(failed) ??
      otherWriter(failed) ??
      unwrittenFile(failed) ??
      unwantedWords(failed) ??
      otherBackend(failed) ??
      PLAIN
    );
  },
};

const leftovers = (failed: FailedCase) => {
  if (failed.of('Processes').length === 0) return undefined;
  return {
    hypothesis: 'The orchestrator ended and left processes behind.',
    evidence: [],
    investigations: ['See how the agent is started (its process group) and what is ended with it.'],
    fixes: [
      {
        description: 'Start the agent in a process group of its own and end the whole group',
        confidence: LIKELY,
        file_to_modify: 'the part of the orchestrator that starts and ends the agent',
      },
    ],
  };
};

/** What was to be remembered is not in the file: then it cannot be in a prompt either. */
export const memoryLost: Rule = {
  type: 'AssertionMismatch',
  explain(failed) {
    const lost = failed.of('FileCreated', 'FileContains').filter(({ name }) => /memories\.md has /.test(name));
    if (lost.length === 0) return undefined;
    return {
      hypothesis: 'The memory file does not hold what was to be remembered.',
      evidence: failed.iterations.flatMap(({ iteration, stderr }) =>
        stderr === undefined || stderr.trim() === ''
          ? []
          : [`iteration ${iteration} reported ${quote(lastLines(stderr))}`],
      ),
      investigations: ['See whether the memory command was called, what it said, and which file it wrote.'],
      fixes: [
        {
          description: 'Repair how memories are written: where, into which section, and without losing what is there',
          confidence: LIKELY,
          file_to_modify: 'the part of the orchestrator that writes memories',
        },
      ],
    };
  },
};

/** An event that is there, and is somebody else's. */
const otherWriter = (failed: FailedCase) => {
  const writers = failed.of('EventEmitted').flatMap(({ expected }) => {
    const [topic, by] = expected.split(' by ');
    const found = failed.context?.events_emitted.filter((event) => event.topic === topic) ?? [];
    return by === undefined
      ? []
      : found.map((event) => `${topic} was published by ${event.source_hat ?? 'nobody'}, not by ${by}`);
  });
  if (writers.length === 0) return undefined;
  return {
    hypothesis: 'The event was published under another hat than the one that should have written it.',
    evidence: writers,
    investigations: ['See which hat was on in the iteration that wrote the event.'],
    fixes: [],
  };
};

const unwrittenFile = (failed: FailedCase) => {
  const [first] = failed.of('FileCreated', 'FileContains');
  if (first === undefined) return undefined;
  const idle = failed.iterations.filter(({ tool_calls: calls }) => calls === 0);
  const onlyWords = first.category === 'FileCreated' && idle.length > 0 && idle.length === failed.iterations.length;
  return {
    hypothesis: onlyWords
      ? 'The file is not there, and the agent used no tool: it said that it did the work, if anything.'
      : 'A file of the workspace is missing, or does not hold what it should.',
    evidence: onlyWords
      ? idle.map(({ iteration, output }) => `iteration ${iteration} used no tool and said ${quote(output ?? '')}`)
      : [],
    investigations: ['Look at the files of the workspace in the report.'],
    fixes: [],
  };
};

/** Words or events that should not have been there. */
const unwantedWords = (failed: FailedCase) => {
  const unwanted = failed.failures.filter(
    ({ name, expected }) => /^prompt \d+ lacks /.test(name) || (/^no event /.test(name) && expected.startsWith('no ')),
  );
  if (unwanted.length === 0) return undefined;
  return {
    hypothesis: 'Something is there that must not be: the orchestrator took or passed on too much.',
    evidence: [],
    investigations: ['See where these words or events come from.'],
    fixes: [
      {
        description: unwanted.some(({ name }) => name.startsWith('no event'))
          ? 'Take only well-formed events from the output'
          : 'Give each hat what is meant for it, and nothing else',
        confidence: POSSIBLE,
        file_to_modify: 'the part of the orchestrator that reads events or builds prompts',
      },
    ],
  };
};

/** A hat that asks for a backend and ran on another. */
const otherBackend = (failed: FailedCase) => {
  const wrong = failed.iterations.flatMap(({ iteration, hat, backend }) => {
    const written = failed.configured('hats', hat, 'backend', 'type') ?? failed.configured('hats', hat, 'backend');
    return typeof written !== 'string' || written === backend
      ? []
      : [`ralph.yml has the backend ${written} for ${hat}, and iteration ${iteration} ran on ${backend}`];
  });
  if (wrong.length === 0) return undefined;
  return {
    hypothesis: 'A hat did not run on the backend that it names.',
    evidence: wrong,
    investigations: ['See where the backend of an iteration is chosen.'],
    fixes: [
      {
        description: 'Take the hat’s backend before the loop’s',
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that starts the agent',
      },
    ],
  };
};

const PLAIN = {
  hypothesis: 'What was seen differs from what the case expects; the assertions say where.',
  evidence: [],
  investigations: ['Compare expected and actual of each failed assertion.'],
  fixes: [],
};
