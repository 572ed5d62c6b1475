import { type CheckResult, type CheckStatus, cutText, statusOf } from '@understudy/verdict';
import type { ObservedProgram } from './observed-program.js';

const AT_DEADLINE = 'ended by the harness at its deadline';

/** What a program tried to reach outside of its sandbox. `unwatched`: nobody knows what it tried. */
export interface ProgramEscape {
  kind: string;
  text: string;
}

/** It tried to reach nothing outside of its sandbox. No check where it did not, or where there is none. */
export function noEscapes(escapes: readonly ProgramEscape[]): CheckResult[] {
  if (escapes.length === 0) return [];
  const certain = escapes.filter(({ kind }) => kind !== 'unwatched');
  const texts = (certain.length > 0 ? certain : escapes).map(({ text }) => text);
  return [
    {
      name: 'escapes',
      category: 'isolation',
      subject: { kind: 'escapes' },
      status: certain.length > 0 ? 'failed' : 'unjudged',
      expected: 'nothing outside of its sandbox is tried',
      actual: texts.join('; '),
      evidence: texts,
    },
  ];
}

/** The last run of the program ended with this code. */
export function exitCode({ last, timedOut }: ObservedProgram, code: number): CheckResult {
  return {
    name: `exit code ${code}`,
    category: 'exit_code',
    subject: { kind: 'exit_code', code },
    status: statusOf(!timedOut && last?.code === code),
    expected: String(code),
    actual: timedOut ? AT_DEADLINE : String(last?.code ?? 'none'),
    evidence: [],
  };
}

/** A run of the program (from 1) printed these words. */
export function programPrints({ runs }: ObservedProgram, number: number, words: string): CheckResult {
  const run = runs[number - 1];
  const printed = run === undefined ? '' : `${run.stdout}${run.stderr}`;
  return {
    name: `call ${number} prints "${words}"`,
    category: 'output',
    subject: { kind: 'output', of: 'program', number, words },
    present: run !== undefined,
    status: statusOf(printed.includes(words)),
    expected: `contains "${words}"`,
    actual: run === undefined ? 'it was not called' : cutText(printed),
    evidence: [],
  };
}

/** What a run of the program (from 1) printed matches a pattern. */
export function programMatches({ runs }: ObservedProgram, number: number, pattern: RegExp): CheckResult {
  const run = runs[number - 1];
  const printed = run === undefined ? '' : `${run.stdout}${run.stderr}`;
  return {
    name: `call ${number} matches ${pattern}`,
    category: 'output',
    subject: { kind: 'output', of: 'program', number, words: pattern.source, pattern: true },
    present: run !== undefined,
    status: statusOf(run !== undefined && pattern.test(printed)),
    expected: `matches ${pattern}`,
    actual: run === undefined ? 'it was not called' : cutText(printed),
    evidence: [],
  };
}

/** A file of the workspace has these words in it. */
export function fileContains(observed: ObservedProgram, path: string, words: string): CheckResult {
  const text = observed.read(path);
  return {
    name: `${path} has "${words}"`,
    category: 'files',
    subject: { kind: 'file', path, words },
    present: text !== undefined,
    status: statusOf(text?.includes(words) === true),
    expected: `contains "${words}"`,
    actual: text === undefined ? 'there is no such file' : cutText(text),
    evidence: [],
  };
}

/** No process that the program started was still running when it ended. */
export function noProcessLeft({ leftovers, timedOut }: ObservedProgram): CheckResult {
  return {
    name: 'no process left',
    category: 'processes',
    subject: { kind: 'processes' },
    status: statusOf(leftovers.length === 0 && !timedOut),
    expected: 'none',
    actual: timedOut ? AT_DEADLINE : leftovers.join(', ') || 'none',
    evidence: [...leftovers],
  };
}

/** Any other condition. `undefined` when it could not be looked at. */
export function condition(name: string, holds: boolean | undefined, expected: string, actual: string): CheckResult {
  const status: CheckStatus = holds === undefined ? 'unjudged' : statusOf(holds);
  return {
    name,
    category: 'custom',
    subject: { kind: 'condition' },
    status,
    expected,
    actual: cutText(actual),
    evidence: [],
  };
}
