import { seconds } from '../../results/duration.js';
import type { EntryResult } from '../../results/entry-result.js';
import { type Metrics, type Quality, qualityScores } from '../../results/sections.js';
import { type Measure, suiteView } from '../suite-view.js';
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
  const rows = measuresOf(metrics).map(({ name, actual, expected, more }) => [
    name,
    actual,
    expected ?? '-',
    expected === undefined ? 'ℹ️' : more === undefined ? PASSED_MARK : `⚠️ ${more}`,
  ]);
  return table(['Metric', 'Actual', 'Expected', 'Status'], rows);
}

function measuresOf(metrics: Metrics): Measure[] {
  const { duration_ms: duration, duration_expected_ms: patience } = metrics;
  const more = duration > patience ? 'slow' : undefined;
  return [
    { name: 'Duration', actual: seconds(duration), expected: `at most ${seconds(patience)}`, more },
    ...suiteView().measures(metrics),
  ];
}

function numbered(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `#### ${title}\n\n${items.map((item, index) => `${index + 1}. ${item}`).join('\n')}`;
}

function optimalTests(entries: readonly Judged[]): string {
  if (entries.length === 0) return '';
  const columnsOf = ({ quality: { metrics } }: Judged) => measuresOf(metrics).filter(({ column }) => column === true);
  const rows = entries.map((entry) => [
    code(entry.id),
    seconds(entry.duration_ms),
    ...columnsOf(entry).map(({ actual }) => actual),
    entry.baselines?.length ? `${entry.baselines.length} red` : 'not run',
  ]);
  const head = [
    'Test',
    'Duration',
    ...entries
      .slice(0, 1)
      .flatMap(columnsOf)
      .map(({ name }) => name),
    'Baselines',
  ];
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
