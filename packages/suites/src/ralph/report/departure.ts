import {
  type CheckResult,
  code,
  type EntryResult,
  excerptAround,
  fence,
  hasPassed,
  type ReportSection,
  sections,
  shortened,
} from '@understudy/verdict';
import { contextOf, type ProgramContext, type ProgramIteration } from '../../orchestrators/context-schema.js';

/** The first call of an agent that is not as the case expects it. */
interface Departure {
  /** The number of the call; one that should have been there may not exist. */
  number: number;
  call: ProgramIteration | undefined;
  /** The check that shows it. */
  check: CheckResult;
  /** What was sent or said there, around the difference. */
  excerpt: { of: 'prompt' | 'output'; text: string } | undefined;
}

/** The first call that departs, by the failed checks that are about calls. */
function firstDeparture(entry: EntryResult): Departure | undefined {
  const context = contextOf(entry);
  if (context === undefined) return undefined;
  const found = entry.checks
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
const LONGEST_NAME = 240;

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

/** The first call that departs from what the case expects. */
export function departureSection(entry: EntryResult): ReportSection[] {
  const departure = firstDeparture(entry);
  if (departure === undefined) return [];
  const { number, call, check, excerpt } = departure;
  const facts = [
    ...(call?.hat === undefined ? [] : [`hat ${code(call.hat)}`]),
    ...(call?.backend === undefined ? [] : [`backend ${code(call.backend)}`]),
    ...(call === undefined ? ['it is not there'] : []),
    ...(call?.exit_code === undefined ? [] : [`exit code ${call.exit_code ?? 'none (killed)'}`]),
    ...(call?.events_given.length ? [`given ${call.events_given.map(({ topic }) => code(topic)).join(', ')}`] : []),
    ...(call?.events_written.length ? [`wrote ${call.events_written.map(code).join(', ')}`] : []),
  ];
  const markdown = sections([
    `Call ${number}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}: ${code(shortened(check.name, LONGEST_NAME))}.`,
    excerpt === undefined
      ? ''
      : `${excerpt.of === 'prompt' ? 'What it was sent' : 'What it said'}, around the difference:\n\n${fence(excerpt.text)}`,
  ]);
  return [{ title: 'First call that departs', markdown }];
}

/** The text of the call that a check looked at, and the words that it looked for. */
export function lookedAt({ subject }: CheckResult, entry: EntryResult): { text: string; words: string } | undefined {
  const [number, words] =
    subject.kind === 'prompt'
      ? [subject.iteration, subject.words]
      : subject.kind === 'output' && subject.of === 'agent' && subject.pattern !== true
        ? [subject.number, subject.words]
        : [];
  const call = number === undefined ? undefined : contextOf(entry)?.iterations[number - 1];
  const text = subject.kind === 'prompt' ? call?.prompt : call?.output;
  return text === undefined || words === undefined ? undefined : { text, words };
}
