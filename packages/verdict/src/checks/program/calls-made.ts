import { countOf, defined, field, type UnlocatedProblem } from '@understudy/kit';
import * as z from 'zod/mini';
import { defineCheck, fieldsOf, givenAt, inScope, type KnownNames, type Place, reviewAll } from '../define-check.js';
import { turnChecks } from '../expectation.js';
import type { LoggedCall } from '../observed.js';
import type { CheckResult } from '../result.js';
import { asksNothing, contradiction } from '../review-expected.js';
import { reviewAgentName } from './agent-names.js';
import { callAgent, callArguments, callsSchema, checkCalls } from './call-checks.js';
import { callEnd } from './end.js';
import { callPrompt, callStreams, reviewText } from './text-checks.js';

/** All that can be expected of one call: what was asked and how, and what can be expected of a turn. */
export const callChecks = [callAgent, callPrompt, callArguments, callStreams, callEnd, ...turnChecks] as const;

export const callSchema = z.strictObject({
  number: field('Which call, from 1; -1 is the last one. Without it, it must hold for every call.', z.int()),
  ...fieldsOf(callChecks, 'call'),
});
type CallExpectation = z.infer<typeof callSchema>;

/** What the program called: all calls, one of them, or each. */
export const callsMade = defineCheck({
  fields: {
    calls: field('What the program calls, all in all. A start that asks no model is no call.', callsSchema),
    call: field('What holds for one call, or for every call.', z.array(callSchema)),
  },
  scopes: ['run'],
  judge: ({ calls }, expect, place) => checkCallsMade(calls, expect, place),
  review: ({ calls, call = [] }, known) => [
    ...(calls === undefined ? [] : reviewCalls(calls, known)),
    ...call.flatMap((one, index) =>
      reviewCall(one, known, calls?.count).map((problem) => ({ ...problem, path: ['call', index, ...problem.path] })),
    ),
  ],
});
type ExpectedCalls = z.infer<typeof callsSchema>;

/** Holds the calls against what was expected of them, whoever made them. */
export function checkCallsMade(
  calls: readonly LoggedCall[],
  expect: { calls?: ExpectedCalls | undefined; call?: CallExpectation[] | undefined },
  place: Place,
): CheckResult[] {
  const made = calls.map(({ call }) => call);
  return [
    ...givenAt(place)(['calls'], expect.calls, (expected) => checkCalls(made, expected)),
    ...(expect.call ?? []).flatMap((one, index) =>
      checkCall(calls, one, (path, checks) => place(['call', index, ...path], checks)),
    ),
  ];
}

/** Holds one call, or every call, against what was expected. */
function checkCall(calls: readonly LoggedCall[], { number, ...expect }: CallExpectation, place: Place): CheckResult[] {
  if (number === undefined) {
    if (calls.length > 0) return calls.flatMap((one) => checksOf(one, expect, place));
    return place([], [noSuchCall('a call', calls, undefined)]);
  }
  const one = number < 0 ? calls.at(number) : calls.find(({ call }) => call.number === number);
  return one === undefined ? place([], [noSuchCall(`call ${number}`, calls, number)]) : checksOf(one, expect, place);
}

function noSuchCall(expected: string, calls: readonly LoggedCall[], number: number | undefined): CheckResult {
  return {
    name: expected,
    category: 'calls',
    subject: { kind: 'calls', ...defined({ number }) },
    present: false,
    status: 'failed',
    expected: `${expected} is made`,
    actual: calls.length === 1 ? 'there was 1 call' : `there were ${calls.length} calls`,
    evidence: [],
  };
}

function checksOf({ call, events }: LoggedCall, expect: CallExpectation, place: Place): CheckResult[] {
  const seen = { call, turn: events, all: events, number: 1, workflow: undefined, told: () => call.told };
  return inScope(callChecks, 'call')
    .flatMap((check) => check.judge(seen, expect, place))
    .map((check) => ({ ...check, name: `call ${call.number}: ${check.name}` }));
}

function reviewCalls(calls: ExpectedCalls, known: KnownNames): UnlocatedProblem[] {
  const { count, min, max, agent, order = [] } = calls;
  return [
    ...(Object.keys(calls).length === 0 ? [asksNothing('calls')] : []),
    ...(count !== undefined && (min !== undefined || max !== undefined)
      ? [contradiction('`count` is exact, so `min` and `max` add nothing', 'calls')]
      : []),
    ...(min !== undefined && max !== undefined && min > max
      ? [contradiction('`min` is more than `max`', 'calls')]
      : []),
    ...[agent ?? []].flat().flatMap((name) => reviewAgentName(name, known, ['calls', 'agent'])),
    ...order.flatMap((one, index) => {
      const { agent: named, prompt } = typeof one === 'string' ? { agent: one, prompt: undefined } : one;
      const path = ['calls', 'order', index];
      return [
        ...(named === undefined ? [] : reviewAgentName(named, known, path)),
        ...reviewText(prompt, [...path, 'prompt']),
      ];
    }),
  ];
}

function reviewCall(
  { number, ...expect }: CallExpectation,
  known: KnownNames,
  count: number | undefined,
): UnlocatedProblem[] {
  const findings = reviewAll(inScope(callChecks, 'call'), expect, { ...known, stages: 'none' });
  if (number === 0) {
    const message = '`number` counts from 1; -1 is the last call';
    const fix = 'Write a number from 1, or leave it out: then every call is checked.';
    findings.push({ code: 'INVALID_VALUE', message, fix, path: ['number'] });
  }
  if (number !== undefined && count !== undefined && Math.abs(number) > count) {
    const are = count === 1 ? 'is' : 'are';
    findings.push(
      contradiction(
        `there ${are} ${countOf(count, 'call')} by \`calls.count\`, so there is no call ${number}`,
        'number',
      ),
    );
  }
  if (Object.keys(expect).length === 0) findings.push({ ...asksNothing('call'), path: [] });
  return findings;
}
