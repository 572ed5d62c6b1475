import { type CheckResult, hasPassed } from '../../checks/result.js';
import type { ProgramContext, ProgramIteration } from '../../results/context.js';
import type { EntryResult } from '../../results/entry-result.js';
import { excerptAround, shortened } from './excerpt.js';

/** The first call of an agent that is not as the case expects it. */
export interface Departure {
  /** The number of the call; one that should have been there may not exist. */
  number: number;
  call: ProgramIteration | undefined;
  /** The check that tells so. */
  check: CheckResult;
  /** What was sent or said there, around the difference. */
  excerpt: { of: 'prompt' | 'output'; text: string } | undefined;
}

/** The first call that departs, by the failed checks that are about calls. */
export function firstDeparture({ context, checks }: EntryResult): Departure | undefined {
  if (context === undefined) return undefined;
  const found = checks
    .filter((check) => !hasPassed(check))
    .flatMap((check) => {
      const number = callOf(check, context);
      return number === undefined ? [] : [{ number, check }];
    })
    .sort((one, other) => one.number - other.number);
  const [first] = found;
  if (first === undefined) return undefined;
  const call = context.iterations[first.number - 1];
  return { ...first, call, excerpt: call && excerptOf(first.check, call) };
}

/** The number of the call that a check is about, from 1. */
function callOf({ subject }: CheckResult, { iterations }: ProgramContext): number | undefined {
  switch (subject.kind) {
    case 'prompt':
      return subject.iteration;
    case 'output':
      return subject.of === 'agent' ? subject.number : undefined;
    case 'calls':
      return subject.number;
    case 'hats': {
      const longest = Math.max(subject.order.length, iterations.length);
      const places = Array.from({ length: longest }, (_, index) => index);
      const first = places.find((index) => iterations[index]?.hat !== subject.order[index]);
      return first === undefined ? undefined : first + 1;
    }
    case 'iterations':
      return Math.min(subject.count, iterations.length) + 1;
    case 'event': {
      const writer = iterations.findIndex(({ events_written: topics }) => topics.includes(subject.topic));
      return writer === -1 ? undefined : writer + 1;
    }
    default:
      return undefined;
  }
}

const LONGEST_OUTPUT = 300;

function excerptOf({ subject }: CheckResult, { prompt, output }: ProgramIteration): Departure['excerpt'] {
  if (subject.kind === 'prompt' && prompt !== undefined) {
    return { of: 'prompt', text: excerptAround(prompt, subject.words) };
  }
  if (output === undefined) return undefined;
  const words =
    subject.kind === 'output' && subject.pattern !== true
      ? subject.words
      : subject.kind === 'event'
        ? subject.topic
        : undefined;
  return {
    of: 'output',
    text: words === undefined ? shortened(output, LONGEST_OUTPUT) : excerptAround(output, words),
  };
}
