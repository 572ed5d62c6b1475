import { NOT_RECORDED, type Observation } from './observation.js';

export type AssertionCategory =
  | 'ExitCode'
  | 'OutputContains'
  | 'EventEmitted'
  | 'EventPayload'
  | 'FileCreated'
  | 'FileContains'
  | 'IterationCount'
  | 'TerminationReason'
  | 'PromptEffectiveness'
  | 'Processes'
  | 'Custom';

/** One thing that must hold, and what was found. */
export interface Assertion {
  name: string;
  category: AssertionCategory;
  passed: boolean;
  expected: string;
  actual: string;
  suggestion?: string;
}

type Finding = Omit<Assertion, 'passed'>;

function assertion(passed: boolean, finding: Finding): Assertion {
  return { ...finding, passed };
}

const LONGEST = 300;

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** The last call of the orchestrator ended with this code. */
export function exitsWith(observed: Observation, code: number): Assertion {
  const actual = observed.timedOut ? 'killed at the deadline' : String(observed.last?.code ?? 'none');
  return assertion(!observed.timedOut && observed.last?.code === code, {
    name: `exit code ${code}`,
    category: 'ExitCode',
    expected: String(code),
    actual,
  });
}

/** The loop says that it ended for this reason. */
export function endsBecause(observed: Observation, reason: string): Assertion {
  const actual = observed.termination ?? 'no record of an end';
  return assertion(actual === reason, {
    name: `terminated: ${reason}`,
    category: 'TerminationReason',
    expected: reason,
    actual,
  });
}

/** So many iterations were run, by the loop's own count. */
export function takesIterations(observed: Observation, count: number): Assertion {
  const actual = observed.iterations.length;
  return assertion(actual === count, {
    name: `${count} iteration${count === 1 ? '' : 's'}`,
    category: 'IterationCount',
    expected: String(count),
    actual: String(actual),
  });
}

/** An event of this topic was published, with these words and by this hat where they are given. */
export function publishes(
  observed: Observation,
  topic: string,
  { payload, by }: { payload?: string; by?: string } = {},
): Assertion {
  const found = observed.events.filter((event) => event.topic === topic);
  const right = found.filter(
    (event) => (payload === undefined || event.payload.includes(payload)) && (by === undefined || event.source === by),
  );
  const described = `${topic}${by === undefined ? '' : ` by ${by}`}${payload === undefined ? '' : ` with "${payload}"`}`;
  return assertion(right.length > 0, {
    name: `event ${described}`,
    category: payload === undefined ? 'EventEmitted' : 'EventPayload',
    expected: described,
    actual:
      found.length === 0
        ? `only: ${topicsOf(observed)}`
        : found.map((event) => `${event.source}: ${event.payload}`).join(' | '),
    suggestion: 'see the events file of the run for what was written',
  });
}

/** No event of this topic was published. */
export function neverPublishes(observed: Observation, topic: string): Assertion {
  const passed = observed.events.every((event) => event.topic !== topic);
  return assertion(passed, {
    name: `no event ${topic}`,
    category: 'EventEmitted',
    expected: `no ${topic}`,
    actual: topicsOf(observed),
  });
}

function topicsOf({ events }: Observation): string {
  return events.map(({ topic }) => topic).join(', ') || 'no events';
}

/** The hats that were on, in order. */
export function wears(observed: Observation, hats: readonly string[]): Assertion {
  const actual = observed.iterations.map(({ hat }) => hat).join(' → ');
  const expected = hats.join(' → ');
  return assertion(actual === expected, { name: `hats ${expected}`, category: 'Custom', expected, actual });
}

/** The agent was told this in an iteration (from 1), or was not. */
export function isTold(observed: Observation, iteration: number, words: string, wanted = true): Assertion {
  const prompt = observed.iterations[iteration - 1]?.prompt;
  const known = prompt !== undefined && prompt !== NOT_RECORDED;
  return assertion(known && prompt.includes(words) === wanted, {
    name: `prompt ${iteration} ${wanted ? 'has' : 'lacks'} "${words}"`,
    category: 'PromptEffectiveness',
    expected: `${wanted ? 'contains' : 'does not contain'} "${words}"`,
    actual: prompt === undefined ? 'there was no such iteration' : shorten(prompt),
  });
}

/** The agent said this in an iteration (from 1). */
export function says(observed: Observation, iteration: number, words: string): Assertion {
  const facts = observed.iterations[iteration - 1];
  const output = facts?.output;
  return assertion(output?.includes(words) === true, {
    name: `output ${iteration} has "${words}"`,
    category: 'OutputContains',
    expected: `contains "${words}"`,
    actual: facts === undefined ? 'there was no such iteration' : shorten(output ?? NOT_RECORDED),
  });
}

/** A call of the orchestrator (from 1) printed this. */
export function prints(observed: Observation, step: number, words: string): Assertion {
  const run = observed.runs[step - 1];
  const actual = run === undefined ? 'it was not called' : shorten(`${run.stdout}${run.stderr}`);
  return assertion(`${run?.stdout}${run?.stderr}`.includes(words), {
    name: `call ${step} prints "${words}"`,
    category: 'OutputContains',
    expected: `contains "${words}"`,
    actual,
  });
}

/** A file of the workspace holds this. */
export function fileHolds(observed: Observation, file: string, words: string): Assertion {
  const text = observed.read(file);
  return assertion(text?.includes(words) === true, {
    name: `${file} has "${words}"`,
    category: text === undefined ? 'FileCreated' : 'FileContains',
    expected: `contains "${words}"`,
    actual: text === undefined ? 'there is no such file' : shorten(text),
  });
}

/** Nothing that the orchestrator started was still there when it ended. */
export function leavesNothing(observed: Observation): Assertion {
  const left = observed.leftovers;
  return assertion(left.length === 0 && !observed.timedOut, {
    name: 'no process left',
    category: 'Processes',
    expected: 'none',
    actual: observed.timedOut ? 'killed at the deadline' : left.join(', ') || 'none',
  });
}

/** Any other condition, in words. */
export function holds(name: string, passed: boolean, expected: string, actual: string): Assertion {
  return assertion(passed, { name, category: 'Custom', expected, actual: shorten(actual) });
}
