import type { CheckOf } from '@understudy/verdict';
import { type Explanation, LIKELY, POSSIBLE, quote, SEEN } from '@understudy/verdict';
import type { FailedProgram, ProgramRule } from './failed-program.js';

/** The failed checks on events that should have been published. */
function wanted(failed: FailedProgram): CheckOf<'event'>[] {
  return failed.about('event').filter(({ subject }) => subject.wanted);
}

function wantedTopics(failed: FailedProgram): string[] {
  return [...new Set(wanted(failed).map(({ subject }) => subject.topic))];
}

function published({ context }: FailedProgram, topic: string) {
  return context?.events_emitted.filter((event) => event.topic === topic) ?? [];
}

/** Event tags that are not read as events: without an end, without a topic, or with the wrong quotation marks. */
function brokenTags(text: string): string[] {
  return [...text.matchAll(/<\s*event\b[^\n]*/gi)].flatMap(([tag]) =>
    /^<event\s[^<>]*topic="[^"]+"[^<>]*>/.test(tag) && /<\/event>/.test(text.slice(text.indexOf(tag))) ? [] : [tag],
  );
}

/** An event was started and is not well-formed, or has another payload than it should. */
export const eventMalformed: ProgramRule = {
  type: 'EventMalformed',
  explain(failed) {
    const topics = wantedTopics(failed).filter((topic) => failed.wrote(topic).length === 0);
    const broken = failed.iterations.flatMap(({ iteration, output }) =>
      brokenTags(output ?? '')
        .filter((tag) => topics.some((topic) => tag.includes(topic)))
        .map((tag) => `iteration ${iteration} wrote ${quote(tag)}`),
    );
    if (broken.length > 0) {
      return {
        hypothesis: 'The agent started the event, but did not write it in the form that is read as an event.',
        evidence: broken,
        investigations: ['Read in the prompt how the agent should write events.'],
        fixes: [
          {
            description: 'Show the agent the exact form: double quotation marks, and a closing tag',
            confidence: LIKELY,
            file_to_modify: 'the part of the orchestrator that instructs the agent how to write events',
          },
        ],
      };
    }
    return otherPayload(failed);
  },
};

function otherPayload(failed: FailedProgram): Explanation | undefined {
  const wrong = wanted(failed).flatMap(({ subject: { topic, payload } }) =>
    payload === undefined
      ? []
      : published(failed, topic).map(
          (event) => `${topic} was published by ${event.source_hat ?? 'no hat'} with ${quote(event.payload)}`,
        ),
  );
  if (wrong.length === 0) return undefined;
  return {
    hypothesis: 'The event was published, but not with the words, or not by the hat, that the case expects.',
    evidence: wrong,
    investigations: ['Compare the payload in the agent’s output with the one in the events file.'],
    fixes: [],
  };
}

/** The agent wrote the event as it should, and the orchestrator did not publish it. */
export const eventDropped: ProgramRule = {
  type: 'EventMissing',
  explain(failed) {
    const dropped = wantedTopics(failed).filter(
      (topic) => failed.wrote(topic).length > 0 && published(failed, topic).length === 0,
    );
    if (dropped.length === 0) return undefined;
    const blocked = dropped.includes('build.done') ? published(failed, 'build.blocked') : [];
    return {
      hypothesis:
        blocked.length > 0
          ? 'The agent wrote build.done, and the orchestrator published build.blocked instead, every time.'
          : `The agent wrote ${dropped.join(', ')}, and the orchestrator did not take it out of the output.`,
      evidence: [
        ...dropped.flatMap((topic) =>
          failed.wrote(topic).map(({ iteration, output }) => `iteration ${iteration} wrote ${quote(output ?? '')}`),
        ),
        ...blocked.map(({ payload }) => `build.blocked was published with ${quote(payload)}`),
        `published: ${topicsOf(failed)}`,
      ],
      investigations: ['Compare the agent’s output with the events file of the run.'],
      fixes: [
        blocked.length > 0
          ? {
              description: 'Accept the evidence in the form in which the prompt asks for it',
              confidence: SEEN,
              file_to_modify: 'the part of the orchestrator that checks the evidence of build.done',
            }
          : {
              description: 'Read all events of the output',
              confidence: SEEN,
              file_to_modify: 'the part of the orchestrator that reads events',
            },
      ],
    };
  },
};

/** Events that went from agent to agent, and are not in the file that keeps them. */
export const eventUnlogged: ProgramRule = {
  type: 'EventMissing',
  explain({ failures }) {
    const unlogged = failures.find(({ name }) => name === 'every event is in the events file');
    if (unlogged === undefined) return undefined;
    return {
      hypothesis: `The orchestrator took the events of its agents, and did not write them to its events file (${unlogged.actual}).`,
      evidence: [],
      investigations: ['Compare the outputs of the agents with the file that .ralph/current-events names.'],
      fixes: [
        {
          description: 'Write every event to the events file, in the order in which it is published',
          confidence: SEEN,
          file_to_modify: 'the part of the orchestrator that writes the events file',
        },
      ],
    };
  },
};

/** Events that the orchestrator itself must publish. */
export const ownEventMissing: ProgramRule = {
  type: 'EventMissing',
  explain(failed) {
    return noStart(failed) ?? noBlock(failed) ?? noDefault(failed);
  },
};

function noStart(failed: FailedProgram): Explanation | undefined {
  const start = failed.configured('event_loop', 'starting_event');
  const [first] = failed.iterations;
  if (typeof start !== 'string' || first === undefined || published(failed, start).length > 0) return undefined;
  // Its agent was given it: then it is only not in the events file.
  if (first.prompt?.includes(start) === true) return undefined;
  return {
    hypothesis: `The loop did not start with the event ${start}, which ralph.yml asks for.`,
    evidence: [`ralph.yml has starting_event: ${start}`, `published: ${topicsOf(failed)}`],
    investigations: ['Find out what the orchestrator publishes before its first iteration.'],
    fixes: [
      {
        description: 'Start with event_loop.starting_event where it is set',
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that starts the loop',
      },
    ],
  };
}

function noBlock(failed: FailedProgram): Explanation | undefined {
  const accepted = published(failed, 'build.done').filter(({ payload }) => !/tests:\s*pass/.test(payload));
  if (!wantedTopics(failed).includes('build.blocked') || accepted.length === 0) return undefined;
  return {
    hypothesis: 'The orchestrator accepted build.done without its evidence.',
    evidence: accepted.map(({ payload }) => `build.done was published with ${quote(payload)}`),
    investigations: ['Find out where the evidence of build.done is checked.'],
    fixes: [
      {
        description: 'Publish build.blocked for a build.done that has no evidence',
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that checks the evidence of build.done',
      },
    ],
  };
}

function noDefault(failed: FailedProgram): Explanation | undefined {
  const missing = wantedTopics(failed).filter((topic) => published(failed, topic).length === 0);
  const silent = failed.iterations.find(
    ({ hat, events_written: written, failed: broken }) =>
      broken !== true &&
      hat !== undefined &&
      written.length === 0 &&
      missing.some((topic) => failed.configured('hats', hat, 'default_publishes') === topic),
  );
  if (silent?.hat === undefined) return undefined;
  return {
    hypothesis: `The agent wrote no event, and the orchestrator did not publish the default of the hat ${silent.hat}.`,
    evidence: [
      `ralph.yml has default_publishes: ${failed.configured('hats', silent.hat, 'default_publishes')} for ${silent.hat}`,
      `published: ${topicsOf(failed)}`,
    ],
    investigations: ['Find out what the orchestrator does when an iteration ends without an event.'],
    fixes: [
      {
        description: 'Publish default_publishes when an agent that did not fail wrote no event',
        confidence: SEEN,
        file_to_modify: 'the part of the orchestrator that publishes events',
      },
    ],
  };
}

/** No agent wrote the event. */
export const eventMissing: ProgramRule = {
  type: 'EventMissing',
  explain(failed) {
    const missing = wantedTopics(failed).filter((topic) => published(failed, topic).length === 0);
    return missing.length === 0 ? undefined : unwritten(failed, missing);
  },
};

function unwritten(failed: FailedProgram, topics: readonly string[]): Explanation {
  const untold = topics.filter((topic) => failed.iterations.every(({ prompt }) => prompt?.includes(topic) !== true));
  return {
    hypothesis:
      untold.length > 0
        ? `No agent wrote ${topics.join(', ')}, and no prompt mentions ${untold.join(', ')}.`
        : `The prompts mention ${topics.join(', ')}, and no agent wrote it.`,
    evidence: [
      `published: ${topicsOf(failed)}`,
      ...failed.iterations.map(({ iteration, output }) => `iteration ${iteration} said ${quote(output ?? '')}`),
    ],
    investigations: ['Read the prompts of the iterations: do they say which events to write, and how?'],
    fixes: [
      untold.length > 0
        ? {
            description: 'Name the topics that a hat publishes in its prompt',
            confidence: POSSIBLE,
            file_to_modify: 'the part of the orchestrator that builds the prompt',
          }
        : {
            description: 'Say in the prompt more clearly how an event is written',
            confidence: POSSIBLE,
            file_to_modify: 'the part of the orchestrator that builds the prompt',
          },
    ],
  };
}

function topicsOf({ context }: FailedProgram): string {
  return context?.events_emitted.map(({ topic }) => topic).join(', ') || 'no events';
}
