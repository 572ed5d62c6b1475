import type { ConversationEvent } from '@understudy/agents';
import { defined } from '@understudy/kit';
import type { AgentCall } from '@understudy/stage';
import {
  type CheckResult,
  checkArguments,
  checkAsked,
  checkCalls,
  checkEnd,
  checkNoService,
  checkOutlived,
  checkStream,
  checkSupported,
  checkText,
  checkTime,
  givenAt,
  nowhere,
  type ObservedCall,
  type ObservedRun,
  type Place,
  statusOf,
} from '@understudy/verdict';
import type { CallExpectation, RunExpectation } from './run-schema.js';

/** A call with its events as they are in the log. */
export interface LoggedCall {
  call: AgentCall;
  events: readonly ConversationEvent[];
}

/** What was seen of a `run` step. */
export interface ObservedRunStep {
  run: ObservedRun;
  /** What happened to the project. */
  events: readonly ConversationEvent[];
  calls: readonly LoggedCall[];
  /** Real agents and services that the program tried to reach. */
  reached: readonly string[];
  /** What stand-ins could not do. */
  unsupported: readonly string[];
}

const ALLOW = 'If the program can do without it, write `unsupported = "any"`.';

/** Holds a `run` step against what was expected. That it ends with 0 and leaves nothing behind always is. */
export function checkRunExpectations(
  seen: ObservedRunStep,
  expect: RunExpectation = {},
  place: Place = nowhere,
): CheckResult[] {
  const { run, events, calls } = seen;
  const { exit_code, signal, stdout, stderr, time, leftovers = 'none', files, commits } = expect;
  const given = givenAt(place);
  const project = { turn: events, all: events, number: 0, workflow: undefined };
  return [
    ...place([signal === undefined ? 'exit_code' : 'signal'], [checkEnd(run, { code: exit_code, signal })]),
    ...given(['stdout'], stdout, (expected) => checkStream(run, 'stdout', expected)),
    ...given(['stderr'], stderr, (expected) => checkStream(run, 'stderr', expected)),
    ...checkCallExpectations(calls, expect, place),
    ...checkAsked(project, { files, commits }, place),
    ...given(['time'], time, (limits) => [checkTime(run, limits)]),
    ...(leftovers === 'any' ? [] : place(['leftovers'], [checkOutlived(run, leftovers)])),
    checkNoService(seen.reached),
    ...(expect.unsupported === 'any' ? [] : checkSupported(seen.unsupported, ALLOW)),
  ];
}

/** Holds the calls against what was expected of them, whoever made them. */
export function checkCallExpectations(
  calls: readonly LoggedCall[],
  expect: Pick<RunExpectation, 'calls' | 'call'>,
  place: Place = nowhere,
): CheckResult[] {
  return [
    ...givenAt(place)(['calls'], expect.calls, (expected) =>
      checkCalls(
        calls.map(({ call }) => call),
        expected,
      ),
    ),
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

function checksOf({ call, events }: LoggedCall, expect: Omit<CallExpectation, 'number'>, place: Place): CheckResult[] {
  const given = givenAt(place);
  const { agent, prompt, args, stdin, stdout, stderr, exit_code, signal, ...turn } = expect;
  const { number } = call;
  const seen = { turn: events, all: events, number: 1, workflow: undefined, told: () => call.told };
  const text = (name: string, value: string | undefined) => ({ name, number, unknown: whyUnknown(name, value) });
  const checks = [
    ...given(['agent'], agent, (wanted) => [checkAgent(call, wanted)]),
    ...given(['prompt'], prompt, (wanted) => checkText(call.prompt, wanted, text('prompt', call.prompt))),
    ...given(['args'], args, (wanted) => checkArguments(call, wanted)),
    ...given(['stdin'], stdin, (wanted) => checkText(call.stdin, wanted, text('stdin', call.stdin))),
    ...given(['stdout'], stdout, (wanted) => checkText(call.stdout, wanted, text('stdout', call.stdout))),
    ...given(['stderr'], stderr, (wanted) => checkText(call.stderr, wanted, text('stderr', call.stderr))),
    ...(exit_code === undefined && signal === undefined
      ? []
      : place([signal === undefined ? 'exit_code' : 'signal'], [checkCallEnd(call, exit_code, signal)])),
    ...checkAsked(seen, turn, place),
  ];
  return checks.map((check) => ({ ...check, name: `call ${number}: ${check.name}` }));
}

function whyUnknown(name: string, value: string | undefined): string {
  return value === undefined ? `${name} was not recorded: it was a terminal, or the agent did not read it` : '';
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

function checkCallEnd(call: AgentCall, code: number | undefined, signal: string | undefined): CheckResult {
  const known = call.endedAt !== undefined;
  const passed = signal === undefined ? call.code === code : call.signal === signal;
  const actual =
    call.signal ?? (call.code === undefined || call.code === null ? 'it was killed' : `exit code ${call.code}`);
  return {
    name: signal === undefined ? 'exit code' : 'signal',
    category: 'exit_code',
    subject: { kind: 'calls', number: call.number },
    // Whoever is killed at once cannot tell by what.
    status: known || signal === undefined ? statusOf(passed) : 'unjudged',
    expected: signal ?? `exit code ${code}`,
    actual,
    evidence: call.stderr === undefined || call.stderr === '' ? [] : [call.stderr.slice(-2000)],
  };
}
