import { seconds } from '../../results/duration.js';
import type { EntryResult } from '../../results/entry-result.js';
import { type Quality, qualityScores } from '../../results/sections.js';
import type { ContextPath } from './context-file.js';
import { describeIdentity } from './entry-sections.js';
import { PASSED_MARK, QUALITY_MARKS } from './marks.js';
import { code, folded, prose, sections, table } from './text.js';

type Judged = EntryResult & { quality: Quality };

/** `## Passed tests`: by quality, the optimal ones and those without a grade in tables. */
export function passedTests(entries: readonly EntryResult[], pathOf: ContextPath): string {
  const passed = entries.filter(({ status }) => status === 'passed' || status === 'flaky');
  if (passed.length === 0) return '';
  const judged = passed.filter((entry): entry is Judged => entry.quality !== undefined);
  const ungraded = passed.filter(({ quality }) => quality === undefined);
  const of = (score: string) => judged.filter(({ quality }) => quality.quality_score === score);
  return sections([
    '## ✅ Passed tests',
    judged.length === 0 ? '' : qualitySummary(of),
    ...qualityScores
      .filter((score) => score !== 'Optimal')
      .flatMap((score) => of(score).map((entry) => passedTest(entry, pathOf(entry)))),
    optimalTests(of('Optimal')),
    ungradedTests(ungraded),
  ]);
}

function qualitySummary(of: (score: string) => readonly Judged[]): string {
  const rows = qualityScores.map((score) => [
    `${QUALITY_MARKS[score]} ${score}`,
    String(of(score).length),
    of(score)
      .map(({ id }) => code(id))
      .join(', ') || '-',
  ]);
  return `### Summary by quality\n\n${table(['Quality', 'Count', 'Tests'], rows)}`;
}

const WORDS = {
  Optimal: 'as it should be',
  Good: 'could be a little better',
  Acceptable: 'works, with reservations',
  Suboptimal: 'works, and needs attention',
} as const;

function passedTest(entry: Judged, contextPath: string | undefined): string {
  const { id, quality } = entry;
  const { quality_score: score, warnings, optimizations } = quality;
  return sections([
    `### ${QUALITY_MARKS[score]} ${code(id)} (${score}: ${WORDS[score]})`,
    [
      ...describeIdentity(entry),
      `**Quality:** ${score} (${quality.source === 'agent' ? 'by the analyzing agent' : 'by rules'})`,
      ...(contextPath === undefined ? [] : [`**Whole context:** [${contextPath}](${contextPath})`]),
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    `#### Metrics\n\n${metricsTable(quality)}`,
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
  ]);
}

function metricsTable({ metrics }: Quality): string {
  const { duration_ms: duration, duration_expected_ms: patience } = metrics;
  const { iterations_used: used, iterations_expected: expected } = metrics;
  return table(
    ['Metric', 'Actual', 'Expected', 'Status'],
    [
      ['Duration', seconds(duration), `at most ${seconds(patience)}`, duration > patience ? '⚠️ slow' : PASSED_MARK],
      ['Iterations', String(used), String(expected), used > expected ? '⚠️ more' : PASSED_MARK],
      ['Retries', String(metrics.retries_needed), '-', 'ℹ️'],
      ['Events', String(metrics.events_emitted), '-', 'ℹ️'],
      ['Tool calls', String(metrics.tool_calls), '-', 'ℹ️'],
      ['Output tokens', String(metrics.tokens_estimated ?? 'not reported'), '-', 'ℹ️'],
    ],
  );
}

function numbered(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `#### ${title}\n\n${items.map((item, index) => `${index + 1}. ${item}`).join('\n')}`;
}

function optimalTests(entries: readonly Judged[]): string {
  if (entries.length === 0) return '';
  const rows = entries.map(({ id, duration_ms: duration, quality: { metrics }, baselines = [] }) => [
    code(id),
    seconds(duration),
    String(metrics.iterations_used),
    String(metrics.events_emitted),
    String(metrics.tool_calls),
    baselines.length === 0 ? 'not run' : `${baselines.length} red`,
  ]);
  const head = ['Test', 'Duration', 'Iterations', 'Events', 'Tool calls', 'Baselines'];
  const note =
    'The full context of each is in report.json (`--report both`), and in its workspace where that was kept (`--keep-workspace`).';
  return `### 🟢 Optimal tests (${entries.length})\n\n${folded('All that passed as they should', `${table(head, rows)}\n\n${note}`)}`;
}

function ungradedTests(entries: readonly EntryResult[]): string {
  if (entries.length === 0) return '';
  const rows = entries.map(({ id, status, agent, stage, duration_ms: duration }) => [
    code(id),
    status,
    prose(agent),
    prose(stage),
    seconds(duration),
  ]);
  return `### Without a grade (${entries.length})\n\n${table(['Test', 'Status', 'Agent', 'Stage', 'Duration'], rows)}`;
}
