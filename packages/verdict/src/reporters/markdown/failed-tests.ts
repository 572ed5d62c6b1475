import { type CheckResult, hasPassed } from '../../checks/result.js';
import { type EntryResult, isRed, type StepResult } from '../../results/entry-result.js';
import { errorFix, errorText } from '../../results/error-text.js';
import type { Diagnosis } from '../../results/sections.js';
import { witnessesText } from '../../results/witnesses.js';
import { suiteView } from '../suite-view.js';
import type { ContextPath } from './context-file.js';
import { baselineSection, checkTable, describeIdentity, type PlacedCheck, placedChecks } from './entry-sections.js';
import { excerptAround, shortened } from './excerpt.js';
import { FAILED_MARK } from './marks.js';
import { code, fence, listed, prose, sections, table } from './text.js';

/** A cell, and a piece of evidence. Whole texts are in the file of the context. */
const LONGEST_CELL = 240;
const LONGEST_EVIDENCE = 300;
const MOST_EVIDENCE = 5;
const MOST_SIMILAR = 5;
const MOST_STEPS = 20;

/** `## Failed tests`: each in short. read-markdown.ts reads this back. */
export function failedTests(entries: readonly EntryResult[], pathOf: ContextPath): string {
  const failed = entries.filter((entry) => isRed(entry) && entry.status !== 'interrupted');
  return failed.length === 0
    ? ''
    : sections(['## 🔴 Failed tests', ...failed.map((entry) => failedTest(entry, pathOf(entry)))]);
}

function failedTest(entry: EntryResult, contextPath: string | undefined): string {
  const { id, context, diagnosis, error } = entry;
  const fix = error && errorFix(error);
  return sections([
    `### ${FAILED_MARK} ${code(id)}`,
    [
      ...describeIdentity(entry),
      `**Status:** ${entry.status}`,
      ...(context === undefined ? [] : [`**Exit code:** ${describeExit(entry)}`]),
      ...(error === undefined ? [] : [`**Error:** ${prose(`${error.code}: ${shortened(errorText(error), 1000)}`)}`]),
      ...(fix === undefined ? [] : [`**Fix:** ${prose(fix)}`]),
      ...(entry.reason === undefined ? [] : [`**Reason:** ${prose(entry.reason)}`]),
      ...(entry.witnesses === undefined
        ? []
        : [`**Witnesses:** ${prose(witnessesText(entry.witnesses).replace('witnesses: ', ''))}`]),
      `**Run it again:** ${code(entry.rerun)}`,
      ...(context?.run_again === undefined
        ? []
        : [`**Only the orchestrator, with its environment:** ${code(context.run_again)}`]),
      ...describeContext(entry, contextPath),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    checkSection(entry),
    ...(context === undefined ? [] : suiteView().failureSections(entry)).map(({ title, markdown = '' }) =>
      sections([`#### ${title}`, markdown]),
    ),
    baselineSection((entry.baselines ?? []).filter(({ red }) => !red)),
    stepSection(entry.steps),
    diagnosis === undefined ? '' : diagnosisSection(diagnosis, entry),
  ]);
}

function describeContext({ context }: EntryResult, path: string | undefined): string[] {
  if (context === undefined) return [];
  return [
    `**Whole context** (configuration, prompts, outputs, events, files): ${path === undefined ? 'in the result as JSON' : `[${path}](${path})`}`,
  ];
}

function describeExit({ context, checks }: EntryResult): string {
  if (context?.timed_out === true) return 'none (ended at the deadline)';
  const failed = checks.some(({ status }) => status === 'failed');
  return `${context?.exit_code ?? 'none'}${context?.exit_code === 0 && failed ? ' (but checks failed)' : ''}`;
}

const inCell = (text: string) => shortened(text, LONGEST_CELL);

function checkSection(entry: EntryResult): string {
  const all = placedChecks(entry);
  const red = all.filter(({ check }) => !hasPassed(check));
  if (red.length === 0) return '';
  const passed = all.length - red.length;
  return sections([
    '#### Checks',
    checkTable(
      red.map(({ step, check }) => ({ step, check: { ...check, actual: whatWasSeen(check, entry) } })),
      inCell,
    ),
    passed === 0 ? '' : `${passed} other check${passed === 1 ? '' : 's'} passed.`,
    red.flatMap(remark).join('\n\n'),
  ]);
}

/** The part of a long text that is near to what was looked for. */
function whatWasSeen(check: CheckResult, entry: EntryResult): string {
  const seen = entry.context === undefined ? undefined : suiteView().lookedAt(check, entry);
  if (seen === undefined || seen.text.length <= LONGEST_CELL) return check.actual;
  return excerptAround(seen.text, seen.words, LONGEST_CELL / 4);
}

function remark({ check: { name, evidence, suggestion } }: PlacedCheck): string[] {
  if (evidence.length === 0 && suggestion === undefined) return [];
  const shown = evidence.slice(0, MOST_EVIDENCE).map((piece) => shortened(piece, LONGEST_EVIDENCE));
  return [
    `- ${code(inCell(name))}${suggestion === undefined ? '' : `: ${prose(shortened(suggestion, LONGEST_EVIDENCE))}`}`,
    ...(shown.length === 0 ? [] : [fence(shown.join('\n'))]),
  ];
}

function stepSection(steps: readonly StepResult[]): string {
  if (steps.length === 0) return '';
  const rows = steps
    .slice(0, MOST_STEPS)
    .map(({ number, send, reached, outcome, said }) => [
      String(number),
      code(inCell(send)),
      reached ? prose(outcome ?? '') : 'not reached',
      code(inCell(said)),
    ]);
  const more =
    steps.length > MOST_STEPS ? `\n\n${steps.length - MOST_STEPS} more steps are in the result as JSON.` : '';
  return `#### Steps\n\n${table(['Step', 'Sent', 'Outcome', 'What the agent said'], rows)}${more}`;
}

function diagnosisSection(diagnosis: Diagnosis, entry: EntryResult): string {
  // The failed checks are evidence, too; their table is above.
  const told = placedChecks(entry).map(({ check: { name } }) => `${name}: expected `);
  const evidence = diagnosis.evidence.filter((piece) => !told.some((start) => piece.startsWith(start)));
  const { similar_failures: similar } = diagnosis;
  const short = (text: string) => prose(shortened(text, LONGEST_EVIDENCE));
  return sections([
    '#### 🔍 Diagnosis',
    `**Failure type:** ${diagnosis.failure_type}`,
    `**Diagnosed by:** ${diagnosis.source === 'agent' ? 'the analyzing agent' : 'rules'}`,
    `**Hypothesis:** ${prose(diagnosis.root_cause_hypothesis)}`,
    listed('**Evidence:**', evidence.map(short)),
    listed('**Similar failures:**', similar.slice(0, MOST_SIMILAR).map(code)),
    similar.length > MOST_SIMILAR ? `and ${similar.length - MOST_SIMILAR} more.` : '',
    listed('**Investigate:**', diagnosis.suggested_investigations.map(short)),
    listed('**Potential fixes:**', diagnosis.potential_fixes.map(describeFix)),
  ]);
}

function describeFix(fix: Diagnosis['potential_fixes'][number]): string {
  const { confidence, description, file_to_modify: file, suggested_change: change } = fix;
  const word = confidence >= 0.7 ? 'High' : confidence >= 0.4 ? 'Medium' : 'Low';
  return [
    `**[${word} confidence, ${confidence}]** ${prose(description)}`,
    ...(file === undefined ? [] : [`  - File: ${code(file)}`]),
    ...(change === undefined ? [] : [`  - Change: ${prose(change)}`]),
  ].join('\n');
}
