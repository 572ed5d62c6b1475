import { type CheckResult, hasPassed } from '../checks/result.js';
import { seconds } from '../results/duration.js';
import type { EntryResult, StepResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { paint } from '../terminal/paint.js';

const MARKS = {
  passed: paint.green('✓'),
  failed: paint.red('✗'),
  unjudged: paint.red('?'),
  flaky: paint.yellow('±'),
  skipped: paint.yellow('–'),
  error: paint.red('!'),
  interrupted: paint.red('–'),
};

/** `✓ name  claude scripted  1.2 s` */
export function describeEntry(result: EntryResult): string {
  const round = result.round > 1 ? ` round ${result.round}` : '';
  const more = result.reason ?? `${result.agent} ${result.stage}${round} ${seconds(result.duration_ms)}`;
  return `${MARKS[result.status]} ${result.name} ${paint.dim(more)}`;
}

/** Everything that helps to understand a failure: step, check, expected, seen, what was said, how to run it again. */
export function describeFailure(result: EntryResult): string {
  const lines: string[] = [];
  if (result.error !== undefined) {
    lines.push(`  ${paint.red(result.error.code)}: ${result.error.message}`);
    if (result.error.fix !== undefined) lines.push(`  ${paint.green('fix')}: ${result.error.fix}`);
  }
  for (const step of result.steps) lines.push(...describeStep(step));
  for (const check of result.checks.filter((one) => !hasPassed(one))) lines.push('', ...describeCheck(check));
  if (result.diagnosis !== undefined) lines.push('', ...describeDiagnosis(result.diagnosis));
  lines.push('');
  if (result.artifacts !== undefined) lines.push(describeArtifacts(result.artifacts));
  lines.push(paint.dim(`  again: ${result.rerun}`));
  return lines.join('\n');
}

/** Where to look when the verdict is not enough. */
export function describeArtifacts(folder: string): string {
  return paint.dim(`  events, requests and project: ${folder}`);
}

/** `12 passed, 1 failed, 2 skipped in 4.2 s` */
export function describeRun({ counts, duration_ms: duration }: Pick<RunResult, 'counts' | 'duration_ms'>): string {
  const shown: [number, string, (text: string) => string][] = [
    [counts.passed, 'passed', paint.green],
    [counts.failed, 'failed', paint.red],
    [counts.unjudged, 'not judged', paint.red],
    [counts.errors, 'could not run', paint.red],
    [counts.flaky, 'flaky', paint.yellow],
    [counts.skipped, 'skipped', paint.yellow],
    [counts.interrupted, 'interrupted', paint.red],
  ];
  const parts = shown.filter(([count]) => count > 0).map(([count, what, color]) => color(`${count} ${what}`));
  return `${parts.join(', ') || paint.red('nothing ran')} ${paint.dim(`in ${seconds(duration)}`)}`;
}

function describeStep(step: StepResult): string[] {
  const failed = step.checks.filter((check) => !hasPassed(check));
  if (step.reached && failed.length === 0) return [];
  const lines = [
    '',
    `  step ${step.number}${step.name === undefined ? '' : ` (${step.name})`}: ${paint.bold(`> ${oneLine(step.send)}`)}`,
  ];
  if (!step.reached) return [...lines, `    ${paint.red('not reached')}: the conversation had ended`];
  const shown: string[] = [];
  for (const check of failed) lines.push(...describeCheck(check, shown));
  const said = step.said === '' ? [] : unseen([step.said], shown).flatMap((text) => text.split('\n').slice(0, 12));
  if (said.length > 0)
    lines.push(
      paint.dim(step.run === undefined ? '    the agent said:' : '    the program printed:'),
      ...said.map((line) => paint.dim(`      ${line}`)),
    );
  return lines;
}

/**
 * A check that failed or could not be made: what was expected, what was seen, the evidence, what to do. Evidence that is
 * among `shown` is left out, and what is told here is added to it: nobody reads a sentence five times.
 */
export function describeCheck(check: CheckResult, shown: string[] = []): string[] {
  const { name, status, expected, actual, evidence, suggestion } = check;
  shown.push(actual);
  const pieces = unseen(evidence.slice(0, 8), shown).flatMap((piece) => piece.split('\n').slice(0, 20));
  const lines = [
    status === 'unjudged' ? `    ${paint.red('?')} ${name} (could not be judged)` : `    ${paint.red('✗')} ${name}`,
    `      expected  ${expected}`,
    `      seen      ${actual}`,
    ...pieces.map((line) => paint.dim(`      | ${line}`)),
  ];
  if (suggestion !== undefined && unseen([suggestion], shown).length > 0) {
    lines.push(`      ${paint.green('fix')}       ${suggestion}`);
  }
  return lines;
}

/** Shorter texts may be repeated: they are words, not sentences. */
const SENTENCE = 40;

/** The texts that were not shown yet. They count as shown afterwards. */
function unseen(texts: readonly string[], shown: string[]): string[] {
  return texts.filter((text) => {
    const piece = oneSpaced(text).replace(/…$/, '');
    if (piece.length >= SENTENCE && shown.some((earlier) => oneSpaced(earlier).includes(piece))) return false;
    shown.push(text);
    return true;
  });
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function describeDiagnosis({ failure_type: type, root_cause_hypothesis: cause }: Diagnosis): string[] {
  return [`    ${paint.yellow('diagnosis')} ${type}: ${cause}`];
}

type Diagnosis = NonNullable<EntryResult['diagnosis']>;

function oneLine(text: string): string {
  const line = oneSpaced(text);
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
