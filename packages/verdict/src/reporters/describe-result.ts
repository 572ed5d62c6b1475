import { stripVTControlCharacters } from 'node:util';
import {
  CONFIG_FILE,
  cut,
  cutLines,
  formatLocation,
  oneSpaced,
  paint,
  shortenLine,
  visibleOnOneLine,
} from '@understudy/kit';
import type { CheckResult } from '../checks/result.js';
import { type Cause, causesOf, describeBecause } from '../results/causes.js';
import { seconds } from '../results/duration.js';
import { type EntryResult, isRed, type StepResult } from '../results/entry-result.js';
import { errorFix, errorText } from '../results/error-text.js';
import { isolationText, isUnwanted, type RunIsolation } from '../results/isolation.js';
import { placeText } from '../results/matrix.js';
import { reportedDiagnosis } from '../results/reported-diagnosis.js';
import type { RunResult } from '../results/run-result.js';
import { describeDifference } from './difference.js';
import { describeReason, failureLocation, failureSentence } from './failure-summary.js';
import type { RunStart } from './reporter.js';

/** Longer lines are cut: nobody reads them on a terminal, and the artifacts have the whole. */
const WIDTH = 400;

export const MARKS = {
  passed: paint.green('✓'),
  failed: paint.red('✗'),
  unjudged: paint.red('?'),
  flaky: paint.yellow('±'),
  expected_failure: paint.yellow('x'),
  skipped: paint.yellow('–'),
  error: paint.red('!'),
  interrupted: paint.red('–'),
};

/** A first line about what keeps agents apart from this machine. That nothing does, though it was wanted, is in color. */
export function describeIsolation(isolation: RunIsolation): string {
  const text = isolationText(isolation);
  return isUnwanted(isolation) ? paint.yellow(text) : paint.dim(text);
}

/**
 * `scripted: claude 2.1.325 · isolation: sandbox`: nobody reads a verdict without knowing what it is about. A
 * configuration that does not stand in this folder is named, too; with `-v`, each.
 */
export function describePlayed({ entries, isolation, versions = {}, config }: RunStart, verbose = false): string[] {
  const agentsOn = new Map<string, Set<string>>();
  for (const { stage, agent } of entries) {
    const agents = agentsOn.get(stage) ?? new Set();
    for (const one of agent.split('+')) agents.add(stage === 'sim' ? one : describeAgent(one, versions[one]));
    agentsOn.set(stage, agents);
  }
  const where = [...agentsOn].map(([stage, agents]) => `${stage}: ${[...agents].join(', ')}`).join('; ');
  const targets = [...new Set(entries.flatMap(({ target }) => target ?? []))];
  const parts = [
    ...(targets.length === 0
      ? []
      : [paint.dim(`${targets.length === 1 ? 'target' : 'targets'}: ${targets.join(', ')}`)]),
    ...(where === '' ? [] : [paint.dim(visibleOnOneLine(where))]),
    ...(isolation === undefined ? [] : [describeIsolation(isolation)]),
    ...(config === undefined || (config === CONFIG_FILE && !verbose) ? [] : [paint.dim(visibleOnOneLine(config))]),
  ];
  return parts.length === 0 ? [] : [parts.join(paint.dim(' · '))];
}

/** `claude@2.1.197`, too. */
function describeAgent(agent: string, version: string | undefined): string {
  return `${agent.replace(/@.*$/, '')}${version === undefined ? agent.replace(/^[^@]*@?/, ' ').trimEnd() : ` ${version}`}`;
}

/** `✓ name  claude scripted  1.2 s` */
export function describeEntry(result: EntryResult): string {
  const round = result.round > 1 ? ` round ${result.round}` : '';
  const without = result.without === undefined ? '' : `; ${describeWithout(result.without)}`;
  const rate = result.rate === undefined ? '' : ` ${describeRate(result.rate)}${without}`;
  const more = describeReason(result) ?? `${placeText(result)}${round} ${seconds(result.duration_ms)}${rate}`;
  return `${describeName(result)} ${paint.dim(cut(more, WIDTH))}`;
}

/** `4 of 5 passed (80 %, 95 % interval 38 to 96 %)`: one green run of a real model says little. */
function describeRate({ passed, runs, low, high, threshold }: NonNullable<EntryResult['rate']>): string {
  const percent = (share: number) => Math.round(share * 100);
  const interval = `95 % interval ${percent(low)} to ${percent(high)} %`;
  return `${passed} of ${runs} passed (${percent(passed / runs)} %, ${interval}; ${percent(threshold)} % needed)`;
}

/** `without the plugin 1 of 5 (20 %, 95 % interval 4 to 62 %)` */
function describeWithout({ what, passed, runs, low, high }: NonNullable<EntryResult['without']>): string {
  const percent = (share: number) => Math.round(share * 100);
  const interval = `95 % interval ${percent(low)} to ${percent(high)} %`;
  return `without ${what} ${passed} of ${runs} (${percent(passed / runs)} %, ${interval})`;
}

/**
 * Everything that helps to understand a failure: its causes first, each with step, check, expected, seen, what was said, and
 * what follows from it; then how to run it again.
 */
export function describeFailure(result: EntryResult, { rerun = true } = {}): string {
  const lines: string[] = [];
  if (result.error !== undefined) {
    const fix = errorFix(result.error);
    lines.push(`  ${paint.red(result.error.code)}: ${cutLines(errorText(result.error), 60, WIDTH).join('\n')}`);
    if (fix !== undefined) lines.push(`  ${paint.green('fix')}: ${cut(fix, WIDTH)}`);
  }
  const frames = new Set<string>();
  lines.push(...describeCauses(result, frames));
  const missed = result.steps.filter(({ reached }) => !reached).map(({ number }) => number);
  if (missed.length > 0) lines.push('', describeMissed(missed));
  const diagnosis = reportedDiagnosis(result);
  if (diagnosis !== undefined) lines.push('', ...describeDiagnosis(diagnosis));
  lines.push('');
  if (result.artifacts !== undefined) lines.push(describeArtifacts(result.artifacts));
  if (rerun) lines.push(paint.dim(`  again: ${cut(result.rerun, WIDTH)}`));
  return lines.join('\n').replace(/\n$/, '');
}

/** Checks as the tests in code show them: in the words of a rehearsal's failure. */
export function describeChecks(checks: readonly CheckResult[]): string {
  const shown: string[] = [];
  const frames = new Set<string>();
  const lines = checks.map((check) => describeCheck(check, shown, frames).map((line) => line.slice(4)));
  return stripVTControlCharacters(lines.map((one) => one.join('\n')).join('\n\n'));
}

/** What is red, where, and the command that runs each again: the last thing that a reader sees. */
export function describeFailedList({ entries }: Pick<RunResult, 'entries'>): string[] {
  const red = entries.filter((entry) => isRed(entry) && entry.status !== 'interrupted');
  if (red.length === 0) return [];
  return red.flatMap((entry) => [
    '',
    `${describeName(entry)} ${paint.dim(formatLocation(failureLocation(entry)))}`.trimEnd(),
    `  ${cut(oneSpaced(failureSentence(entry)), LONGEST_REASON)}`,
    `  again: ${cut(entry.rerun, WIDTH)}`,
  ]);
}

function describeName({ status, name }: EntryResult): string {
  return `${MARKS[status]} ${cut(name, WIDTH)}`;
}

/** Where to look when the verdict is not enough. */
export function describeArtifacts(folder: string): string {
  return paint.dim(`  events, requests and project: ${cut(folder, WIDTH)}`);
}

type DescribedRun = Pick<RunResult, 'counts' | 'duration_ms'> &
  Partial<Pick<RunResult, 'passed' | 'verdict' | 'shard'>>;

/** `12 passed, 1 failed, 2 skipped in 4.2 s` */
export function describeRun({ counts, duration_ms: duration, passed, verdict, shard }: DescribedRun): string {
  if (counts.total === 0 && passed === true) {
    return paint.yellow(
      shard === undefined ? `${verdict}` : `shard ${shard.index} of ${shard.count} is empty: ${verdict}`,
    );
  }
  const shown: [number, string, (text: string) => string][] = [
    [counts.passed, 'passed', paint.green],
    [counts.failed, 'failed', paint.red],
    [counts.unjudged, 'not judged', paint.red],
    [counts.errors, 'could not run', paint.red],
    [counts.flaky, 'flaky', paint.yellow],
    [counts.expected_failures, 'failed as expected', paint.yellow],
    [counts.skipped, 'skipped', paint.yellow],
    [counts.interrupted, 'interrupted', paint.red],
  ];
  const parts = shown.filter(([count]) => count > 0).map(([count, what, color]) => color(`${count} ${what}`));
  return `${parts.join(', ') || paint.red('nothing ran')} ${paint.dim(`in ${seconds(duration)}`)}`;
}

/** The causes in their order; those of one step stand below its prompt, with what the agent did. */
function describeCauses({ steps, checks }: Pick<EntryResult, 'steps' | 'checks'>, frames: Set<string>): string[] {
  const causes = causesOf({ steps, checks });
  return causes.flatMap((cause, index) => {
    const shown: string[] = [];
    if (cause.step === undefined) return ['', ...describeCause(cause, shown, frames)];
    if (causes.findIndex(({ step }) => step === cause.step) !== index) return [];
    const step = steps.find(({ number }) => number === cause.step);
    const own = causes.filter((one) => one.step === cause.step);
    const described = own.flatMap((one) => describeCause(one, shown, frames));
    return step === undefined ? described : ['', describeSent(step), ...described, ...describeDone(step, shown)];
  });
}

function describeCause(cause: Cause, shown: string[], frames: Set<string>): string[] {
  const lines = describeCheck(cause.check, shown, frames);
  return cause.because.length === 0 ? lines : [...lines, `      ${paint.dim(cut(describeBecause(cause), WIDTH))}`];
}

function describeSent({ number, name, send }: StepResult): string {
  return `  step ${number}${name === undefined ? '' : ` (${oneLine(name)})`}: ${paint.bold(`> ${oneLine(send)}`)}`;
}

function describeMissed(numbers: readonly number[]): string {
  const which = numbers.length === 1 ? `step ${numbers[0]} was` : `steps ${numbers.join(', ')} were`;
  return `  ${which} ${paint.red('not reached')}: the conversation had ended`;
}

function describeDone(step: StepResult, shown: string[]): string[] {
  const lines: string[] = [];
  const isShown = new Set(shown);
  const tools = (step.tools ?? []).filter((tool) => !isShown.has(tool));
  if (tools.length > 0) {
    lines.push(paint.dim('    the agent did:'));
    lines.push(...tools.slice(0, SHOWN_TOOLS).map((tool) => paint.dim(`      ${cut(tool, WIDTH)}`)));
    if (tools.length > SHOWN_TOOLS) lines.push(paint.dim(`      … [${tools.length - SHOWN_TOOLS} more calls]`));
  }
  const said = step.said === '' ? [] : unseen([step.said], shown).flatMap((text) => cutLines(text, 12, WIDTH));
  if (said.length > 0)
    lines.push(
      paint.dim(step.run === undefined ? '    the agent said:' : '    the program printed:'),
      ...said.map((line) => paint.dim(`      ${line}`)),
    );
  return lines;
}

const SHOWN_TOOLS = 20;
/** A line of the list at the end. */
const LONGEST_REASON = 160;

/**
 * A check that failed or could not be made: where it was asked for, what was expected, what was seen, the evidence, what
 * to do. Evidence that is among `shown` is left out, and what is shown here is added to it: nobody reads a sentence five
 * times. A frame is shown once, for all checks of its line.
 */
function describeCheck(check: CheckResult, shown: string[] = [], frames = new Set<string>()): string[] {
  const { name, status, expected, actual, evidence, suggestion, defined_at: at } = check;
  shown.push(actual);
  const pieces = unseen(evidence.slice(0, 8), shown).flatMap((piece) => cutLines(piece, 20, WIDTH));
  const lines = [
    status === 'unjudged'
      ? `    ${paint.red('?')} ${cut(name, WIDTH)} (could not be judged)`
      : `    ${paint.red('✗')} ${cut(name, WIDTH)}`,
  ];
  if (at !== undefined) {
    const key = formatLocation({ ...at, column: undefined });
    lines.push(paint.dim(`      at ${formatLocation(at)}`));
    if (at.frame !== undefined && !frames.has(key)) {
      lines.push(...cutLines(at.frame, 8, 200).map((line) => `      ${paintFrame(line)}`), '');
    }
    frames.add(key);
  }
  lines.push(
    ...describeDifference(expected, actual, WIDTH).map((line) => `      ${line}`),
    ...pieces.map(
      (line) => `      ${paint.dim('|')} ${check.subject.kind === 'snapshot' ? paintChange(line) : paint.dim(line)}`,
    ),
  );
  if (suggestion !== undefined && unseen([suggestion], shown).length > 0) {
    lines.push(`      ${paint.green('fix')}       ${cutLines(suggestion, 10, WIDTH).join('\n                ')}`);
  }
  return lines;
}

function paintFrame(line: string): string {
  return /^>|^\s+\|\s*\^$/.test(line) ? paint.red(line) : paint.dim(line);
}

/** A line of a unified diff: what the snapshot has is expected, what is new was seen. */
function paintChange(line: string): string {
  if (line.startsWith('-')) return paint.green(line);
  return line.startsWith('+') ? paint.red(line) : paint.dim(line);
}

/** Shorter texts may be repeated: they are words, not sentences. */
const SENTENCE = 40;
const PHRASE = 12;

/** The texts that were not shown yet. They count as shown afterwards. */
function unseen(texts: readonly string[], shown: string[]): string[] {
  return texts.filter((text) => {
    const piece = oneSpaced(text).replace(/…$/, '');
    if (text.length >= PHRASE && shown.includes(text)) return false;
    if (piece.length >= SENTENCE && shown.some((earlier) => oneSpaced(earlier).includes(piece))) return false;
    shown.push(text);
    return true;
  });
}

function describeDiagnosis({ failure_type: type, root_cause_hypothesis: cause }: Diagnosis): string[] {
  return [`    ${paint.yellow('diagnosis')} ${type}: ${cut(cause, WIDTH)}`];
}

type Diagnosis = NonNullable<EntryResult['diagnosis']>;

function oneLine(text: string): string {
  return shortenLine(text.slice(0, 1_000), 100);
}
