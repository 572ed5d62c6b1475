import { tiers } from '../../orchestrators/case.js';
import type { Diagnosis, ReportedResult } from '../../results/schema.js';
import { contextSections } from './context-sections.js';
import { FAILED_MARK, PASSED_MARK } from './marks.js';
import { code, fence, folded, prose, table } from './text.js';

/** `## Failed tests`: each with all that is known of it. read-markdown.ts reads this back. */
export function failedTests(results: readonly ReportedResult[]): string {
  const failed = results.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return '';
  return ['## 🔴 Failed tests', ...failed.map(failedTest)].join('\n\n');
}

function failedTest(result: ReportedResult): string {
  const { scenario_id: id, tier, context, diagnosis } = result;
  return [
    `### ${FAILED_MARK} ${code(id)} (Tier ${tiers.indexOf(tier) + 1}: ${tier})`,
    [
      `**Description:** ${prose(result.scenario_description)}`,
      `**Backend:** ${result.backend}`,
      `**Duration:** ${result.duration_seconds.toFixed(1)} s`,
      `**Exit code:** ${tellExit(result)}`,
      ...(result.reason === undefined ? [] : [`**Reason:** ${prose(result.reason)}`]),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    assertionSection(result),
    baselineSection(result),
    pressureSection(result),
    context === undefined
      ? 'There is no context: the case was not run.'
      : `#### Context\n\n${contextSections(context)}`,
    diagnosis === undefined ? '' : diagnosisSection(diagnosis),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function tellExit({ context, assertions }: ReportedResult): string {
  if (context === undefined) return 'none';
  if (context.timed_out) return 'none (ended at the deadline)';
  const failed = assertions.filter(({ passed }) => !passed).length;
  return `${context.exit_code ?? 'none'}${context.exit_code === 0 && failed > 0 ? ' (but assertions failed)' : ''}`;
}

function assertionSection({ assertions }: ReportedResult): string {
  if (assertions.length === 0) return '';
  const rows = assertions.map(({ name, category, passed, expected, actual }) => [
    code(name),
    passed ? PASSED_MARK : FAILED_MARK,
    category,
    code(expected),
    code(actual),
  ]);
  const remarks = assertions.flatMap(({ name, passed, diff, suggestion }) =>
    passed || (diff === undefined && suggestion === undefined)
      ? []
      : [
          `- ${code(name)}${suggestion === undefined ? '' : `: ${prose(suggestion)}`}`,
          ...(diff === undefined ? [] : [fence(diff, 'diff')]),
        ],
  );
  return [
    '#### Assertions',
    table(['Assertion', 'Status', 'Category', 'Expected', 'Actual'], rows),
    ...(remarks.length === 0 ? [] : [folded('🔬 More on what failed', remarks.join('\n\n'))]),
  ].join('\n\n');
}

function baselineSection({ baselines }: ReportedResult): string {
  if (baselines.length === 0) return '';
  const rows = baselines.map((baseline) => [
    prose(baseline.condition),
    baseline.red ? '🔴 failed, as it must' : '🟢 passed, and must not',
    prose(baseline.expected_failure),
    prose(baseline.why_it_matters),
    prose(baseline.still_green.join('; ') || 'none'),
  ]);
  return `#### Baselines\n\n${table(['Without it', 'Result', 'What should fail', 'Why it matters', 'Still green'], rows)}`;
}

/** Under what pressure the agent was, and by what one judges how well it did. */
export function pressureSection({ pressure_factors: factors, quality_criteria: criteria }: ReportedResult): string {
  const parts: string[] = [];
  if (factors.length > 0) {
    const rows = factors.map((factor) => [factor.name, factor.description, factor.why_pressure].map(prose));
    parts.push(`#### Pressure\n\n${table(['Pressure', 'How', 'What it may lead to'], rows)}`);
  }
  if (criteria.length > 0) {
    const rows = criteria.map((criterion) =>
      [criterion.name, criterion.optimal, criterion.acceptable, criterion.concerning].map(prose),
    );
    parts.push(`#### Quality criteria\n\n${table(['Criterion', 'Optimal', 'Acceptable', 'Concerning'], rows)}`);
  }
  return parts.join('\n\n');
}

function diagnosisSection(diagnosis: Diagnosis): string {
  return [
    '#### 🔍 Diagnosis',
    `**Failure type:** ${diagnosis.failure_type}`,
    `**Diagnosed by:** ${diagnosis.source === 'agent' ? 'the analysing agent' : 'rules'}`,
    `**Hypothesis:** ${prose(diagnosis.root_cause_hypothesis)}`,
    list('Evidence', diagnosis.evidence.map(prose)),
    list('Similar failures', diagnosis.similar_failures.map(code)),
    list('Investigate', diagnosis.suggested_investigations.map(prose)),
    list('Potential fixes', diagnosis.potential_fixes.map(tellFix)),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function tellFix(fix: Diagnosis['potential_fixes'][number]): string {
  const { confidence, description, file_to_modify: file, suggested_change: change } = fix;
  const word = confidence >= 0.7 ? 'High' : confidence >= 0.4 ? 'Medium' : 'Low';
  return [
    `**[${word} confidence, ${confidence}]** ${prose(description)}`,
    ...(file === undefined ? [] : [`  - File: ${code(file)}`]),
    ...(change === undefined ? [] : [`  - Change: ${prose(change)}`]),
  ].join('\n');
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `**${title}:**\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}
