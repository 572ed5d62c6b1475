import type { CheckResult } from '../../checks/result.js';
import { seconds } from '../../results/duration.js';
import { type EntryResult, isRed, type StepResult } from '../../results/entry-result.js';
import type { Diagnosis } from '../../results/sections.js';
import { contextSections } from './context-sections.js';
import { CHECK_MARKS, FAILED_MARK } from './marks.js';
import { code, fence, folded, listed, prose, sections, table } from './text.js';

/** `## Failed tests`: each with everything that is known about it. read-markdown.ts reads this back. */
export function failedTests(entries: readonly EntryResult[]): string {
  const failed = entries.filter((entry) => isRed(entry) && entry.status !== 'interrupted');
  return failed.length === 0 ? '' : sections(['## 🔴 Failed tests', ...failed.map(failedTest)]);
}

function failedTest(entry: EntryResult): string {
  const { id, context, diagnosis, error } = entry;
  return sections([
    `### ${FAILED_MARK} ${code(id)}`,
    [
      ...describeIdentity(entry),
      `**Status:** ${entry.status}`,
      ...(context === undefined ? [] : [`**Exit code:** ${describeExit(entry)}`]),
      ...(error === undefined ? [] : [`**Error:** ${prose(`${error.code}: ${error.message}`)}`]),
      ...(error?.fix === undefined ? [] : [`**Fix:** ${prose(error.fix)}`]),
      ...(entry.reason === undefined ? [] : [`**Reason:** ${prose(entry.reason)}`]),
      `**Run it again:** ${code(entry.rerun)}`,
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    checkSection(entry),
    baselineSection(entry),
    stepSection(entry.steps),
    pressureSection(entry),
    context === undefined ? '' : `#### Context\n\n${contextSections(context)}`,
    diagnosis === undefined ? '' : diagnosisSection(diagnosis),
  ]);
}

/** Lines that say which test it is. */
export function describeIdentity(entry: EntryResult): string[] {
  const { name, description, group, agent, stage, round } = entry;
  return [
    `**Description:** ${prose(description ?? name)}`,
    ...(group === undefined ? [] : [`**Group:** ${prose(group)}`]),
    `**Agent:** ${prose(agent)}`,
    `**Stage:** ${prose(stage)}${round > 1 ? `, round ${round}` : ''}`,
    `**Duration:** ${seconds(entry.duration_ms)}`,
  ];
}

function describeExit({ context, checks }: EntryResult): string {
  if (context?.timed_out === true) return 'none (ended at the deadline)';
  const failed = checks.some(({ status }) => status === 'failed');
  return `${context?.exit_code ?? 'none'}${context?.exit_code === 0 && failed ? ' (but checks failed)' : ''}`;
}

interface PlacedCheck {
  step: string;
  check: CheckResult;
}

function checkSection({ steps, checks }: EntryResult): string {
  const all: PlacedCheck[] = [
    ...steps.flatMap((step) => step.checks.map((check) => ({ step: String(step.number), check }))),
    ...checks.map((check) => ({ step: '-', check })),
  ];
  if (all.length === 0) return '';
  const rows = all.map(({ step, check: { name, category, status, expected, actual } }) => [
    step,
    code(name),
    CHECK_MARKS[status],
    category,
    code(expected),
    code(actual),
  ]);
  const remarks = all.flatMap(({ check: { name, status, evidence, suggestion } }) =>
    status === 'passed' || (evidence.length === 0 && suggestion === undefined)
      ? []
      : [
          `- ${code(name)}${suggestion === undefined ? '' : `: ${prose(suggestion)}`}`,
          ...(evidence.length === 0 ? [] : [fence(evidence.join('\n'))]),
        ],
  );
  return sections([
    '#### Checks',
    table(['Step', 'Check', 'Status', 'Category', 'Expected', 'Actual'], rows),
    remarks.length === 0 ? '' : folded('🔬 More about what failed', remarks.join('\n\n')),
  ]);
}

function baselineSection({ baselines = [] }: EntryResult): string {
  if (baselines.length === 0) return '';
  const rows = baselines.map((baseline) => [
    prose(baseline.condition),
    baseline.red ? '🔴 failed, as it must' : '🟢 did not fail, and must',
    prose(baseline.expected_failure),
    prose(baseline.why_it_matters),
    prose(baseline.still_green.join('; ') || 'none'),
  ]);
  return `#### Baselines\n\n${table(['Without it', 'Result', 'What should fail', 'Why it matters', 'Still green'], rows)}`;
}

function stepSection(steps: readonly StepResult[]): string {
  if (steps.length === 0) return '';
  const rows = steps.map(({ number, send, reached, outcome, said }) => [
    String(number),
    code(send),
    reached ? prose(outcome ?? '') : 'not reached',
    code(said),
  ]);
  return `#### Steps\n\n${table(['Step', 'Sent', 'Outcome', 'What the agent said'], rows)}`;
}

/** What made the work hard, and what tells a good pass from a poor one. */
export function pressureSection({ case: own }: EntryResult): string {
  const pressure = (own?.pressure_factors ?? []).map(({ name, description, why_pressure: why }) =>
    [name, description, why].map(prose),
  );
  const criteria = (own?.quality_criteria ?? []).map(({ name, optimal, acceptable, concerning }) =>
    [name, optimal, acceptable, concerning].map(prose),
  );
  return sections([
    pressure.length === 0 ? '' : `#### Pressure\n\n${table(['Pressure', 'How', 'What it may lead to'], pressure)}`,
    criteria.length === 0
      ? ''
      : `#### Quality criteria\n\n${table(['Criterion', 'Optimal', 'Acceptable', 'Concerning'], criteria)}`,
  ]);
}

function diagnosisSection(diagnosis: Diagnosis): string {
  return sections([
    '#### 🔍 Diagnosis',
    `**Failure type:** ${diagnosis.failure_type}`,
    `**Diagnosed by:** ${diagnosis.source === 'agent' ? 'the analyzing agent' : 'rules'}`,
    `**Hypothesis:** ${prose(diagnosis.root_cause_hypothesis)}`,
    listed('**Evidence:**', diagnosis.evidence.map(prose)),
    listed('**Similar failures:**', diagnosis.similar_failures.map(code)),
    listed('**Investigate:**', diagnosis.suggested_investigations.map(prose)),
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
