import { countOf, field, required, shorten } from '@understudy/kit';
import * as z from 'zod/mini';
import { defineCheck, givenAt, count as number, oneOrMore, positive, type Written, words } from '../define-check.js';
import { type CheckResult, statusOf } from '../result.js';
import { asksNothing } from '../review-expected.js';
import { reviewAgentName } from './agent-names.js';
import { cutText } from './cut-text.js';
import { textConditions, textExpectationSchema } from './text-expectation.js';

/** What checks look at in one call of a program. */
export interface ObservedCall {
  number: number;
  agent: string;
  /** The program's name and its arguments. */
  command: readonly string[];
  prompt: string;
  startedAt: number;
  /** Absent for a call that was killed. */
  endedAt?: number | undefined;
}

export const callsSchema = z.strictObject({
  count: field('How many calls there are.', number),
  min: field('The least number of calls.', number),
  max: field('The greatest number of calls.', number),
  agent: field('All calls are of these agents.', oneOrMore),
  order: field(
    'Calls in this order; others may come between.',
    z
      .array(
        z.union([
          z.string(),
          z.strictObject({
            agent: field('The agent that is called.', z.string()),
            prompt: field('What it is asked.', textExpectationSchema),
          }),
        ]),
      )
      .check(z.minLength(1)),
  ),
  overlap: field(
    'Whether calls run side by side, or how many at most.',
    z.union([z.boolean(), z.strictObject({ max: required('The most calls at the same time.', positive) })]),
  ),
});
type ExpectedCalls = Written<typeof callsSchema>;

const argumentsSchema = z.strictObject({
  has: field('Words that stand on the command line.', words),
  lacks: field('Words that do not stand there.', words),
});

export const callAgent = defineCheck({
  fields: { agent: field('The agent that was called.', z.string()) },
  scopes: ['call'],
  judge: ({ call }, { agent }, place) => givenAt(place)(['agent'], agent, (wanted) => [checkAgent(call, wanted)]),
  review: ({ agent }, known) => (agent === undefined ? [] : reviewAgentName(agent, known, ['agent'])),
});

export const callArguments = defineCheck({
  fields: { args: field('Words on its command line: has, lacks.', argumentsSchema) },
  scopes: ['call'],
  judge: ({ call }, { args }, place) => givenAt(place)(['args'], args, (wanted) => checkArguments(call, wanted)),
  review: ({ args }) =>
    args !== undefined && Object.keys(args).length === 0 ? [{ ...asksNothing('args'), path: [] }] : [],
});

/** What a program called, all in all. One result for each thing that is asked. */
export function checkCalls(calls: readonly ObservedCall[], expected: ExpectedCalls): CheckResult[] {
  const results: CheckResult[] = [];
  const add = (what: string, wanted: string, passed: boolean, actual: string, suggestion?: string) =>
    results.push({
      name: `calls: ${what}`,
      category: 'calls',
      subject: { kind: 'calls' },
      present: calls.length > 0,
      status: statusOf(passed),
      expected: wanted,
      actual,
      evidence: calls.map(describeCall),
      ...(passed || suggestion === undefined ? {} : { suggestion }),
    });
  const { count, min, max, agent, order, overlap } = expected;
  const seen = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  if (count !== undefined) add('count', countOf(count, 'call'), calls.length === count, seen);
  if (min !== undefined) add('min', `at least ${countOf(min, 'call')}`, calls.length >= min, seen);
  if (max !== undefined) add('max', `at most ${countOf(max, 'call')}`, calls.length <= max, seen);
  if (agent !== undefined) {
    const wanted = [agent].flat();
    const others = calls.filter((call) => !wanted.includes(call.agent));
    const passed = calls.length > 0 && others.length === 0;
    const actual = calls.length === 0 ? 'no call' : [...new Set(calls.map((call) => call.agent))].join(', ');
    add('agent', `every call is of ${wanted.join(' or ')}`, passed, actual);
  }
  if (order !== undefined) {
    const names = order.map(describeStep);
    add('order', names.join(' → '), isInOrder(order, calls), calls.map((call) => call.agent).join(' → ') || 'no call');
  }
  if (overlap !== undefined) {
    const most = mostAtOnce(calls);
    const actual = `at most ${most} at once`;
    if (typeof overlap === 'object') add('overlap', `at most ${overlap.max} at once`, most <= overlap.max, actual);
    else if (overlap) add('overlap', 'calls run side by side', most > 1, actual);
    else add('overlap', 'one call after the other', most <= 1, actual);
  }
  return results;
}

function checkAgent({ agent, number }: ObservedCall, wanted: string): CheckResult {
  return {
    name: 'agent',
    category: 'calls',
    subject: { kind: 'calls', number },
    status: statusOf(agent === wanted),
    expected: wanted,
    actual: agent,
    evidence: [],
  };
}

/** Which words stand on the command line of a call. */
export function checkArguments(
  call: ObservedCall,
  { has = [], lacks = [] }: Written<typeof argumentsSchema>,
): CheckResult[] {
  const args = call.command.slice(1);
  const result = (name: string, passed: boolean, expected: string): CheckResult => ({
    name,
    category: 'calls',
    subject: { kind: 'calls', number: call.number },
    status: statusOf(passed),
    expected,
    actual: cutText(args.join(' ')) || 'no arguments',
    evidence: [],
  });
  return [
    ...has.map((word) => result('args', hasWord(args, word), `${word} is among the arguments`)),
    ...lacks.map((word) => result('args', !hasWord(args, word), `${word} is not among the arguments`)),
  ];
}

/** A word as it stands there; `--format=json` is also `--format json`, and the other way around. */
function hasWord(args: readonly string[], wanted: string): boolean {
  if (args.includes(wanted)) return true;
  const [, name, value] = /^(--?[\w-]+)=([\s\S]*)$/.exec(wanted) ?? [];
  if (name !== undefined) return args.some((arg, index) => arg === name && args[index + 1] === value);
  return args.some((arg) => arg.startsWith('--') && (arg.startsWith(`${wanted}=`) || arg.endsWith(`=${wanted}`)));
}

/** `2. opencode run Fix it. (1204 ms)` */
export function describeCall({ number, agent, command, startedAt, endedAt }: ObservedCall): string {
  const took = endedAt === undefined ? 'killed' : `${Math.round(endedAt - startedAt)} ms`;
  const words = command.length === 0 ? agent : command.join(' ').replace(/\s+/g, ' ');
  return `${number}. ${shorten(words, 140)} (${took})`;
}

type OrderStep = NonNullable<ExpectedCalls['order']>[number];

function describeStep(step: OrderStep): string {
  if (typeof step === 'string') return step;
  const prompt = step.prompt === undefined ? [] : textConditions(step.prompt).map(({ words }) => `prompt ${words}`);
  return [step.agent ?? 'a call', ...prompt].join(', ');
}

function isInOrder(order: readonly OrderStep[], calls: readonly ObservedCall[]): boolean {
  let next = 0;
  for (const call of calls) {
    const step = order[next];
    if (step === undefined) break;
    const { agent, prompt } = typeof step === 'string' ? { agent: step, prompt: undefined } : step;
    const fits =
      (agent === undefined || agent === call.agent) &&
      (prompt === undefined || textConditions(prompt).every(({ holds }) => holds(call.prompt)));
    if (fits) next++;
  }
  return next === order.length;
}

function mostAtOnce(calls: readonly ObservedCall[]): number {
  const running = (at: number) =>
    calls.filter(({ startedAt, endedAt = Number.POSITIVE_INFINITY }) => startedAt <= at && at < endedAt).length;
  return Math.max(0, ...calls.map(({ startedAt }) => running(startedAt)));
}
