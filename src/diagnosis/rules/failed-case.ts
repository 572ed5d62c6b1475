import { parse } from 'yaml';
import { parseEvents, textOutsideEvents } from '../../orchestrators/loop/events.js';
import type { ReportedContext, ReportedResult } from '../../results/schema.js';

export type ReportedAssertion = ReportedResult['assertions'][number];
export type ReportedIteration = ReportedContext['iterations'][number];

/** A failed case, with the questions that the rules of the diagnosis ask of it. */
export class FailedCase {
  readonly result: ReportedResult;
  readonly expectedIterations: number;
  readonly failures: readonly ReportedAssertion[];
  readonly context: ReportedContext | undefined;
  readonly iterations: readonly ReportedIteration[];
  readonly #config: Record<string, unknown>;

  constructor(result: ReportedResult, expectedIterations: number) {
    this.result = result;
    this.expectedIterations = expectedIterations;
    this.failures = result.assertions.filter(({ passed }) => !passed);
    this.context = result.context;
    this.iterations = result.context?.iterations ?? [];
    this.#config = readYaml(result.context?.config_yaml ?? '');
  }

  /** The failed assertions of some categories. */
  of(...categories: readonly string[]): ReportedAssertion[] {
    return this.failures.filter(({ category }) => categories.includes(category));
  }

  /** A value of ralph.yml, if it is written there. */
  configured(...path: readonly string[]): unknown {
    return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), this.#config);
  }

  /** The line that completes the loop. */
  get promise(): string {
    const written = this.configured('event_loop', 'completion_promise');
    return typeof written === 'string' ? written : 'LOOP_COMPLETE';
  }

  /** What a hat is told to do. */
  instructionsOf(hat: string): string {
    const written = this.configured('hats', hat, 'instructions');
    return typeof written === 'string' ? written.trim() : '';
  }

  /** The iterations in which the agent wrote a whole event of this topic. */
  wrote(topic: string): ReportedIteration[] {
    return this.iterations.filter(({ output }) => parseEvents(output ?? '').some((event) => event.topic === topic));
  }

  /** Whether an iteration ended with the promise, as the contract wants it: the last line outside events. */
  promised({ output }: ReportedIteration): boolean {
    return (
      textOutsideEvents(output ?? '')
        .trimEnd()
        .split('\n')
        .at(-1)
        ?.trim() === this.promise
    );
  }

  /** Whether an assertion that holds has looked at just this: then it is what the case wants, no cause. */
  isWanted(words: string): boolean {
    return this.result.assertions.some(({ passed, actual }) => passed && actual.includes(words));
  }
}

/** The iteration (from 1) that an assertion on a prompt or an output is about. */
export function iterationOf(assertion: ReportedAssertion, about: 'prompt' | 'output'): number | undefined {
  const number = new RegExp(`^${about} (\\d+) (?:has|lacks) `).exec(assertion.name)?.[1];
  return number === undefined ? undefined : Number(number);
}

function readYaml(text: string): Record<string, unknown> {
  try {
    const value: unknown = parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
