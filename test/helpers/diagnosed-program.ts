import type { ProgramContext, ProgramIteration } from '../../packages/suites/src/orchestrators/context-schema.js';
import type { CheckResult } from '../../packages/verdict/src/checks/result.js';
import { diagnose } from '../../packages/verdict/src/diagnosis/diagnose.js';
import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import { sampleCheck, sampleContext, sampleEntry, sampleIteration } from './sample-results.js';

export const failed = (
  name: string,
  subject: CheckResult['subject'],
  expected: string,
  actual = 'something else',
  more: Partial<CheckResult> = {},
): CheckResult => sampleCheck('failed', { name, subject, expected, actual, category: 'custom', ...more });
export const file = (path: string, words: string, present: boolean, actual: string) =>
  failed(`${path} has "${words}"`, { kind: 'file', path, words }, `contains "${words}"`, actual, { present });
export const prompt = (iteration: number, words: string, wanted = true, actual = 'Build it.') =>
  failed(
    `prompt ${iteration} ${wanted ? 'has' : 'lacks'} "${words}"`,
    { kind: 'prompt', iteration, words, wanted },
    `contains "${words}"`,
    actual,
  );
export const output = (number: number, words: string) =>
  failed(`output ${number} has "${words}"`, { kind: 'output', of: 'agent', number, words }, `contains "${words}"`);
export const ended = (reason: string, actual: string) =>
  failed(`terminated: ${reason}`, { kind: 'termination', reason }, reason, actual);

export const EXIT = failed('exit code 0', { kind: 'exit_code', code: 0 }, '0', '1');
export const ENDED = ended('completed', 'max_iterations');
export const EVENT = failed('event build.done', { kind: 'event', topic: 'build.done', wanted: true }, 'build.done');
export const OUTPUT = output(1, 'I am the Builder');

export const iteration = (parts: Partial<ProgramIteration> = {}): ProgramIteration =>
  sampleIteration({ prompt: 'Build it. Begin with "I am the Builder". Publish `build.done`.', ...parts });

const HATS = 'hats:\n  builder:\n    instructions: Begin with "I am the Builder".\n';

export const published = (topic: string, payload: string, source_hat = 'builder') => ({
  topic,
  payload,
  timestamp: 't',
  source_hat,
});

/** The diagnosis of a case that ran one ordinary iteration, changed as told. */
export function diagnosed(
  checks: CheckResult[],
  context: Partial<ProgramContext> = {},
  more: Partial<EntryResult> = {},
) {
  const seen = sampleContext({
    iterations: [iteration()],
    config_yaml: HATS,
    termination_reason: 'completed',
    ...context,
  });
  return diagnose(sampleEntry('hat-single@claude', 'failed', { checks, context: seen, ...more }));
}
