import { expectedSeconds } from '../../diagnosis/quality.js';
import { type PassedAnalysis, qualityScores, type ReportedResult, type SuiteReport } from '../../results/schema.js';
import { contextSections } from './context-sections.js';
import { pressureSection } from './failed-tests.js';
import { PASSED_MARK, QUALITY_MARKS } from './marks.js';
import { code, folded, prose, table } from './text.js';

type Judged = ReportedResult & { analysis: PassedAnalysis };

/** `## Passed tests`: by quality, the optimal ones in one table. */
export function passedTests({ results, stage }: SuiteReport): string {
  const passed = results.filter((result): result is Judged => result.passed && result.analysis !== undefined);
  if (passed.length === 0) return '';
  const of = (score: string) => passed.filter(({ analysis }) => analysis.quality_score === score);
  const rows = qualityScores.map((score) => [
    `${QUALITY_MARKS[score]} ${score}`,
    String(of(score).length),
    of(score)
      .map(({ scenario_id: id }) => code(id))
      .join(', ') || '-',
  ]);
  return [
    '## ✅ Passed tests',
    `### Summary by quality\n\n${table(['Quality', 'Count', 'Tests'], rows)}`,
    ...qualityScores
      .filter((score) => score !== 'Optimal')
      .flatMap((score) => of(score).map((result) => passedTest(result, stage))),
    optimalTests(of('Optimal')),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

const WORDS = {
  Optimal: 'as it should be',
  Good: 'could be a little better',
  Acceptable: 'works, with reservations',
  Suboptimal: 'works, and needs attention',
} as const;

function passedTest(result: Judged, stage: SuiteReport['stage']): string {
  const { scenario_id: id, analysis, context } = result;
  const { quality_score: score, warnings, optimizations } = analysis;
  return [
    `### ${QUALITY_MARKS[score]} ${code(id)} (${score}: ${WORDS[score]})`,
    [
      `- **Description:** ${prose(result.scenario_description)}`,
      `- **Backend:** ${result.backend}`,
      `- **Duration:** ${result.duration_seconds.toFixed(1)} s`,
      `- **Quality:** ${score} (${analysis.source === 'agent' ? 'by the analysing agent' : 'by rules'})`,
    ].join('\n'),
    `#### Metrics\n\n${metricsTable(analysis, stage)}`,
    pressureSection(result),
    numbered(
      '⚠️ Warnings',
      warnings.map(
        ({ category, message, evidence }) => `**${category}**: ${prose(message)}\n   - Evidence: ${prose(evidence)}`,
      ),
    ),
    numbered(
      '💡 Optimizations',
      optimizations.map(({ category, description, potential_improvement: improvement, suggested_change: change }) =>
        [
          `**${prose(category)}**: ${prose(description)}`,
          `   - Could become: ${prose(improvement)}`,
          ...(change === undefined ? [] : [`   - Suggested: ${prose(change)}`]),
        ].join('\n'),
      ),
    ),
    context === undefined ? '' : folded('📋 Full context', contextSections(context)),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function metricsTable({ metrics }: PassedAnalysis, stage: SuiteReport['stage']): string {
  const { duration_seconds: seconds, iterations_used: used, iterations_expected: expected } = metrics;
  const patience = expectedSeconds(stage, expected);
  return table(
    ['Metric', 'Actual', 'Expected', 'Status'],
    [
      ['Duration', `${seconds.toFixed(1)} s`, `at most ${patience} s`, seconds > patience ? '⚠️ slow' : PASSED_MARK],
      ['Iterations', String(used), String(expected), used > expected ? '⚠️ more' : PASSED_MARK],
      ['Retries', String(metrics.retries_needed), '-', 'ℹ️'],
      ['Events', String(metrics.events_emitted), '-', 'ℹ️'],
      ['Tool calls', String(metrics.tool_calls), '-', 'ℹ️'],
      ['Output tokens', String(metrics.tokens_estimated ?? 'not told'), '-', 'ℹ️'],
    ],
  );
}

function numbered(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `#### ${title}\n\n${items.map((item, index) => `${index + 1}. ${item}`).join('\n')}`;
}

function optimalTests(results: readonly Judged[]): string {
  if (results.length === 0) return '';
  const rows = results.map(({ scenario_id: id, duration_seconds: seconds, analysis: { metrics }, baselines }) => [
    code(id),
    `${seconds.toFixed(1)} s`,
    String(metrics.iterations_used),
    String(metrics.events_emitted),
    String(metrics.tool_calls),
    baselines.length === 0 ? 'not run' : `${baselines.length} red`,
  ]);
  const head = ['Test', 'Duration', 'Iterations', 'Events', 'Tool calls', 'Baselines'];
  const note =
    'The full context of each is in report.json (`--report both`), and in its workspace where that was kept (`--keep-workspace`).';
  return `### 🟢 Optimal tests (${results.length})\n\n${folded('All that passed as they should', `${table(head, rows)}\n\n${note}`)}`;
}
