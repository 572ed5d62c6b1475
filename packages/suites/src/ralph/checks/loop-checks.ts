import { countOf } from '@understudy/kit';
import { type CheckResult, type CheckStatus, cutText, statusOf } from '@understudy/verdict';
import { NOT_RECORDED, type ObservedEvent, type ObservedProgram } from './observed-program.js';

const NO_ITERATION = 'there was no such iteration';

/** The loop says that it ended for this reason. */
export function terminationReason({ termination }: ObservedProgram, reason: string): CheckResult {
  return {
    name: `terminated: ${reason}`,
    category: 'termination',
    subject: { kind: 'termination', reason },
    present: termination !== undefined,
    status: statusOf(termination === reason),
    expected: reason,
    actual: termination ?? 'no record of an end',
    evidence: [],
  };
}

/** The loop ran so many iterations, by its own count. */
export function iterationCount({ iterations }: ObservedProgram, count: number): CheckResult {
  return {
    name: countOf(count, 'iteration'),
    category: 'iterations',
    subject: { kind: 'iterations', count },
    status: statusOf(iterations.length === count),
    expected: String(count),
    actual: String(iterations.length),
    evidence: [],
  };
}

/** The hats of the iterations, in order. */
export function hatSequence({ iterations }: ObservedProgram, order: readonly string[]): CheckResult {
  const hats = iterations.map(({ hat }) => hat);
  const differs = hats.length !== order.length || hats.some((hat, index) => hat !== undefined && hat !== order[index]);
  const expected = order.join(' → ');
  return {
    name: `hats ${expected}`,
    category: 'iterations',
    subject: { kind: 'hats', order: [...order] },
    status: differs ? 'failed' : hats.includes(undefined) ? 'unjudged' : 'passed',
    expected,
    actual: hats.map((hat) => hat ?? NOT_RECORDED).join(' → '),
    evidence: hats.flatMap((hat, index) =>
      hat === order[index]
        ? []
        : [`iteration ${index + 1}: ${hat ?? NOT_RECORDED}, expected ${order[index] ?? 'no iteration'}`],
    ),
  };
}

/** An event of this topic was published, with these words and by this hat where they are given. */
export function eventPublished(
  { events }: ObservedProgram,
  topic: string,
  { payload, by }: { payload?: string; by?: string } = {},
): CheckResult {
  const found = events.filter((event) => event.topic === topic);
  const fitting = found.filter((event) => payload === undefined || event.payload.includes(payload));
  const status = writtenBy(fitting, by);
  const expected = `${topic}${by === undefined ? '' : ` by ${by}`}${payload === undefined ? '' : ` with "${payload}"`}`;
  return {
    name: `event ${expected}`,
    category: 'events',
    subject: {
      ...{ kind: 'event', topic, wanted: true },
      ...(payload === undefined ? {} : { payload }),
      ...(by === undefined ? {} : { by }),
    },
    present: found.length > 0,
    status,
    expected,
    actual:
      found.length === 0
        ? `only: ${topicsOf(events)}`
        : found.map((event) => `${event.source ?? NOT_RECORDED}: ${event.payload}`).join(' | '),
    evidence: [],
    ...(status === 'passed' ? {} : { suggestion: 'Look at the events file of the run.' }),
  };
}

function writtenBy(events: readonly ObservedEvent[], by: string | undefined): CheckStatus {
  if (by === undefined || events.some(({ source }) => source === by)) return statusOf(events.length > 0);
  return events.some(({ source }) => source === undefined) ? 'unjudged' : 'failed';
}

/** No event of this topic was published. */
export function eventAbsent({ events }: ObservedProgram, topic: string): CheckResult {
  const present = events.some((event) => event.topic === topic);
  return {
    name: `no event ${topic}`,
    category: 'events',
    subject: { kind: 'event', topic, wanted: false },
    present,
    status: statusOf(!present),
    expected: `no ${topic}`,
    actual: topicsOf(events),
    evidence: [],
  };
}

function topicsOf(events: readonly ObservedEvent[]): string {
  return events.map(({ topic }) => topic).join(', ') || 'no events';
}

/** The prompt of an iteration (from 1) has these words; with `wanted` false, it must not have them. */
export function promptContains(
  { iterations }: ObservedProgram,
  iteration: number,
  words: string,
  wanted = true,
): CheckResult {
  const observed = iterations[iteration - 1];
  return {
    name: `prompt ${iteration} ${wanted ? 'has' : 'lacks'} "${words}"`,
    category: 'prompt',
    subject: { kind: 'prompt', iteration, words, wanted },
    ...textVerdict(observed, observed?.prompt, (text) => text.includes(words) === wanted),
    expected: `${wanted ? 'contains' : 'does not contain'} "${words}"`,
    evidence: [],
  };
}

/** The agent said these words in an iteration (from 1). */
export function agentSays({ iterations }: ObservedProgram, iteration: number, words: string): CheckResult {
  const observed = iterations[iteration - 1];
  return {
    name: `output ${iteration} has "${words}"`,
    category: 'output',
    subject: { kind: 'output', of: 'agent', number: iteration, words },
    ...textVerdict(observed, observed?.output, (text) => text.includes(words)),
    expected: `contains "${words}"`,
    evidence: [],
  };
}

/** What the agent said in an iteration (from 1) matches a pattern. */
export function agentMatches({ iterations }: ObservedProgram, iteration: number, pattern: RegExp): CheckResult {
  const observed = iterations[iteration - 1];
  return {
    name: `output ${iteration} matches ${pattern}`,
    category: 'output',
    subject: { kind: 'output', of: 'agent', number: iteration, words: pattern.source, pattern: true },
    ...textVerdict(observed, observed?.output, (text) => pattern.test(text)),
    expected: `matches ${pattern}`,
    evidence: [],
  };
}

/** An iteration that never was is a failure of the loop; a text that was not recorded cannot be judged. */
function textVerdict(
  iteration: object | undefined,
  text: string | undefined,
  holds: (text: string) => boolean,
): Pick<CheckResult, 'present' | 'status' | 'actual'> {
  if (iteration === undefined) return { present: false, status: 'failed', actual: NO_ITERATION };
  if (text === undefined) return { status: 'unjudged', actual: NOT_RECORDED };
  return { present: true, status: statusOf(holds(text)), actual: cutText(text) };
}
