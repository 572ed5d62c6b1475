import type { CheckResult } from '../../checks/result.js';
import { seconds } from '../../results/duration.js';
import type { EntryResult } from '../../results/entry-result.js';
import type { Baseline } from '../../results/sections.js';
import { CHECK_MARKS } from './marks.js';
import { code, fence, folded, prose, sections, table } from './text.js';

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

/** A check, and the step that it belongs to. */
export interface PlacedCheck {
  step: string;
  check: CheckResult;
}

export function placedChecks({ steps, checks }: EntryResult): PlacedCheck[] {
  return [
    ...steps.flatMap((step) => step.checks.map((check) => ({ step: String(step.number), check }))),
    ...checks.map((check) => ({ step: '-', check })),
  ];
}

/** A table of checks. read-markdown.ts reads it back. */
export function checkTable(checks: readonly PlacedCheck[], shown: (text: string) => string = (text) => text): string {
  return table(
    ['Step', 'Check', 'Status', 'Category', 'Expected', 'Actual'],
    checks.map(({ step, check: { name, category, status, expected, actual } }) => [
      step,
      code(shown(name)),
      CHECK_MARKS[status],
      category,
      code(shown(expected)),
      code(shown(actual)),
    ]),
  );
}

/** All checks of an entry with all of their evidence. */
export function allChecks(entry: EntryResult): string {
  const all = placedChecks(entry);
  if (all.length === 0) return '';
  const remarks = all.flatMap(({ check: { name, evidence, suggestion } }) =>
    evidence.length === 0 && suggestion === undefined
      ? []
      : [
          `- ${code(name)}${suggestion === undefined ? '' : `: ${prose(suggestion)}`}`,
          ...(evidence.length === 0 ? [] : [fence(evidence.join('\n'))]),
        ],
  );
  return sections([
    '## All checks',
    checkTable(all),
    remarks.length === 0 ? '' : folded('🔬 More about them', remarks.join('\n\n')),
  ]);
}

export function baselineSection(baselines: readonly Baseline[]): string {
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

/** What made the work hard, and what distinguishes a good pass from a poor one. */
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
