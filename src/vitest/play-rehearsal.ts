import { join, resolve } from 'node:path';
import { type Entry, playRun, RUN_FOLDER, rehearsalPlayer, scratchFolders } from '@understudy/runner';
import { chooseIsolation, requestedIsolation } from '@understudy/stage';
import {
  causesOf,
  describeReason,
  describeRedCheck,
  type EntryResult,
  failureSentence,
  isRed,
} from '@understudy/verdict';
import { expect, type TestContext } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { exportLine } from './rehearsals/export-line.js';
import type { TestProblem } from './rehearsals/rehearsal-tests.js';

/** Plays one entry as a test of Vitest, and throws what is red, each at its line. */
export async function play(entry: Entry, context: TestContext): Promise<void> {
  context.task.meta.rehearsalReads = [...(entry.parts ?? [])];
  await chooseIsolation(requestedIsolation(entry.isolation?.requested));
  const options = { ...(entry.options as object), ...(updatesSnapshots() ? { update: true } : {}) };
  const run = await playRun(
    { entries: [{ ...entry, options }] },
    {
      run: { command: 'run', understudy_version: packageJson.version },
      players: { rehearsal: rehearsalPlayer() },
      openFolder: scratchFolders(join(RUN_FOLDER, 'artifacts')),
      ...{ signal: context.signal, workers: 1 },
    },
  );
  const [result] = run.entries;
  if (result === undefined) throw new Error(`a run of one entry gave no result: ${entry.id}`);
  if (result.status === 'skipped') context.skip(result.reason);
  if (result.status === 'expected_failure') await context.annotate(describeReason(result) ?? '', 'expected failure');
  if (isRed(result)) throw new AggregateError(errorsOf(result), failureSentence(result));
}

/** `vitest -u`, or the key `u` while it watches. */
function updatesSnapshots(): boolean {
  return Reflect.get(expect.getState().snapshotState ?? {}, '_updateSnapshot') === 'all';
}

function errorsOf(result: EntryResult): Error[] {
  const { file = '' } = result;
  const causes = causesOf(result);
  if (causes.length === 0) return [errorAt(failureSentence(result) + surroundings(result), { file })];
  return causes.map((cause, index) => {
    const { suggestion, defined_at: at = { file }, expected, actual } = cause.check;
    const told = [
      describeRedCheck(cause),
      ...(suggestion === undefined ? [] : [`fix: ${suggestion}`]),
      ...cause.because.map((red) => `because of this: ${describeRedCheck(red)}`),
    ];
    const error = errorAt(told.join('\n') + (index === causes.length - 1 ? surroundings(result) : ''), at);
    return Object.assign(error, { expected, actual, showDiff: true });
  });
}

/** What helps to understand it, once. */
function surroundings({ steps, artifacts, rerun }: EntryResult): string {
  const said = steps
    .filter(({ checks }) => checks.some(({ status }) => status !== 'passed'))
    .map(({ said: text }) => text);
  return [
    '',
    ...said.filter((text) => text !== '').flatMap((text) => ['the agent said:', ...text.split('\n').slice(0, 20)]),
    ...(artifacts === undefined ? [] : [`events, requests and project: ${artifacts}`]),
    `again: ${rerun}`,
  ].join('\n');
}

/** Throws what is wrong with a file. */
export function fail(problems: readonly TestProblem[]): never {
  throw new AggregateError(problems.map((problem) => errorAt(problem.message, problem)));
}

/** Reporters and editors look at the first line of the stack. */
function errorAt(
  message: string,
  {
    file,
    line = exportLine(file),
    column = 1,
  }: { file: string; line?: number | undefined; column?: number | undefined },
): Error {
  const error = new Error(message);
  error.name = 'RehearsalError';
  error.stack = `${error.name}: ${message}\n    at ${resolve(file)}:${line}:${column}`;
  return error;
}
