import { constants } from 'node:os';
import { field, type UnlocatedProblem } from '@understudy/kit';
import type { AgentCall } from '@understudy/stage';
import * as z from 'zod/mini';
import { defineCheck } from '../define-check.js';
import type { ObservedRun } from '../observed.js';
import { type CheckResult, statusOf } from '../result.js';
import { contradiction } from '../review-expected.js';
import { lastLines } from './cut-text.js';

export const signalName = z.enum(Object.keys(constants.signals) as [string, ...string[]]);

/** That a program ends with 0 is always expected, unless said otherwise. */
export const programEnd = defineCheck({
  fields: {
    exit_code: field('The code with which the program ends. By default 0.', z.int()),
    signal: field('The signal that ends the program.', signalName),
  },
  scopes: ['run'],
  judge: ({ run }, { exit_code: code, signal }, place) => place([fieldOf(signal)], [checkEnd(run, { code, signal })]),
  review: (expect) => reviewEnd(expect, 'program'),
});

export const callEnd = defineCheck({
  fields: {
    exit_code: field('The code with which it ended.', z.int()),
    signal: field('The signal that ended it.', signalName),
  },
  scopes: ['call'],
  judge: ({ call }, { exit_code: code, signal }, place) =>
    code === undefined && signal === undefined ? [] : place([fieldOf(signal)], [checkCallEnd(call, code, signal)]),
  review: (expect) => reviewEnd(expect, 'call'),
});

function fieldOf(signal: string | undefined): string {
  return signal === undefined ? 'exit_code' : 'signal';
}

function reviewEnd(
  { exit_code, signal }: { exit_code?: number | undefined; signal?: string | undefined },
  what: string,
): UnlocatedProblem[] {
  if (exit_code === undefined || signal === undefined) return [];
  return [contradiction(`a ${what} ends with a code or by a signal, not both`, 'signal')];
}

/** How the program must end: with 0, unless said otherwise. */
export function checkEnd(
  run: ObservedRun,
  { code, signal }: { code?: number | undefined; signal?: string | undefined },
): CheckResult {
  const wanted = signal ?? code ?? 0;
  const passed = !run.timedOut && (signal === undefined ? run.code === wanted : run.signal === signal);
  return {
    name: signal === undefined ? 'exit code' : 'signal',
    category: 'exit_code',
    subject: { kind: 'exit_code', code: typeof wanted === 'number' ? wanted : -1 },
    status: statusOf(passed),
    expected: typeof wanted === 'number' ? `exit code ${wanted}` : `ended by ${wanted}`,
    actual: describeEnd(run),
    evidence: passed ? [] : lastLines(run.stderr === '' ? run.stdout : run.stderr),
  };
}

export function describeEnd({ code, signal, timedOut, milliseconds }: ObservedRun): string {
  if (timedOut) return `it did not end within ${Math.round(milliseconds)} ms, and was killed`;
  return signal === null ? `exit code ${code}` : `ended by ${signal}`;
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
    // A program that is killed at once cannot report by what.
    status: known || signal === undefined ? statusOf(passed) : 'unjudged',
    expected: signal ?? `exit code ${code}`,
    actual,
    evidence: call.stderr === undefined || call.stderr === '' ? [] : [call.stderr.slice(-2000)],
  };
}
