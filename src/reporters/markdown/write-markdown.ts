import { type SuiteReport, severities } from '../../results/schema.js';
import { agentPrompt } from './agent-prompt.js';
import { failedTests } from './failed-tests.js';
import { FAILED_MARK, PASSED_MARK, SEVERITY_MARKS } from './marks.js';
import { passedTests } from './passed-tests.js';
import { code, fence, prose, table } from './text.js';

/** report.md: for people, and for agents that are to act on it. */
export function writeMarkdown(report: SuiteReport, file: string): string {
  const sections = [
    head(report),
    summary(report),
    failedTests(report.results),
    passedTests(report),
    skippedTests(report),
    loopholes(report),
    rationalizations(report),
    recommendations(report),
    quickFixes(report),
    metaAnalysis(report),
    artifacts(report),
    `## 🤖 For an agent\n\nThe prompt with which an agent takes up this report:\n\n${fence(agentPrompt(file), 'markdown')}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n---\n\n')}\n`;
}

function head(report: SuiteReport): string {
  const verdict = report.exit_code === 0 ? '🟢 PASSED' : report.exit_code === 1 ? '🔴 FAILED' : '⚪ NO VERDICT';
  const { orchestrator, environment } = report;
  const name = orchestrator.kind === 'ralph' ? 'ralph' : 'reference loop';
  return [
    '# Orchestrator suite report',
    `## ${verdict}`,
    [
      `**Generated:** ${report.timestamp}`,
      `**Orchestrator:** ${name} ${prose(report.ralph_version)}, called as ${code(orchestrator.command)}`,
      `**Understudy:** ${prose(report.understudy_version)}, stage ${report.stage}`,
      `**Machine:** ${prose(environment.os)}, Node.js ${prose(environment.node)}`,
      `**Duration:** ${tellDuration(report.duration_seconds)}`,
      `**Verdict:** ${prose(report.verdict)}`,
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
  ].join('\n\n');
}

function tellDuration(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function summary({ summary: counts, backends_tested: states, environment, patterns }: SuiteReport): string {
  const countRows = (groups: typeof counts.by_tier) =>
    Object.entries(groups).map(([name, { total, passed, failed, skipped }]) => [
      name,
      ...[total, passed, failed, skipped].map(String),
    ]);
  const countHead = (name: string) => [name, 'Total', 'Passed', 'Failed', 'Skipped'];
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  return [
    '## Summary',
    table(
      ['Status', 'Count'],
      [
        [`${PASSED_MARK} Passed`, String(counts.passed)],
        [`${FAILED_MARK} Failed`, String(counts.failed)],
        ['⏭️ Skipped', String(counts.skipped)],
      ],
    ),
    `### By tier\n\n${table(countHead('Tier'), countRows(counts.by_tier))}`,
    `### By backend\n\n${table(countHead('Backend'), countRows(counts.by_backend))}`,
    `### Backends\n\n${table(
      ['Backend', 'Version', 'Available', 'Signed in', 'How it is known'],
      states.map((state) => [
        state.backend,
        code(state.version ?? ''),
        yes(state.available),
        yes(state.authenticated),
        prose(state.detail),
      ]),
    )}`,
    `### Environment\n\n${table(
      ['Variable', 'Set'],
      Object.entries(environment.env_vars).map(([name, set]) => [code(name), yes(set)]),
    )}`,
    listed(
      '### Failures by category',
      Object.entries(counts.failures_by_category).map(([type, count]) => `${type}: ${count}`),
    ),
    listed(
      '### Patterns',
      patterns.map(({ description, affected_tests: ids, suggested_fix: fix }) =>
        [
          prose(description),
          `  - Affects: ${ids.map(code).join(', ')}`,
          ...(fix === undefined ? [] : [`  - Fix: ${prose(fix)}`]),
        ].join('\n'),
      ),
    ),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function listed(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : `${title}\n\n${items.map((item) => `- ${item}`).join('\n')}`;
}

function skippedTests({ results }: SuiteReport): string {
  const skipped = results.filter(({ status }) => status === 'skipped');
  if (skipped.length === 0) return '';
  const rows = skipped.map(({ scenario_id: id, backend, tier, reason }) => [
    code(id),
    backend,
    tier,
    prose(reason ?? ''),
  ]);
  return `## ⏭️ Skipped tests\n\n${table(['Test', 'Backend', 'Tier', 'Reason'], rows)}`;
}

function loopholes({ loopholes: found }: SuiteReport): string {
  if (found.length === 0) return '';
  const sections = found.map(({ title, pattern, evidence, suggested_counter: counter, new_test: test }) =>
    [
      `### Loophole: ${prose(title)}`,
      `**Pattern:** ${prose(pattern)}`,
      listed('**Evidence:**', evidence.map(prose)),
      `**Suggested counter:** ${prose(counter)}`,
      ...(test === undefined ? [] : [`**New test to add:** ${code(test)}`]),
    ].join('\n\n'),
  );
  return ['## 🔓 Loopholes', ...sections].join('\n\n');
}

function rationalizations({ rationalizations: rows }: SuiteReport): string {
  if (rows.length === 0) return '## 📋 Rationalization analysis\n\nNo agent was caught with an excuse.';
  const cells = rows.map(({ test, rationalization, reality, action }) => [
    code(test),
    code(rationalization),
    prose(reality),
    prose(action),
  ]);
  return `## 📋 Rationalization analysis\n\n${table(['Test', 'What the agent said', 'Reality', 'Action'], cells)}`;
}

function recommendations({ recommendations: all }: SuiteReport): string {
  if (all.length === 0) return '';
  const sections = severities.flatMap((severity) => {
    const own = all.filter((recommendation) => recommendation.severity === severity);
    const items = own.map(({ title, category, description, affected_tests: ids, suggested_fix: fix }, index) =>
      [
        `${index + 1}. **${prose(title)}** (${prose(category)})`,
        `   - ${prose(description)}`,
        ...(ids.length === 0 ? [] : [`   - Affects: ${ids.map(code).join(', ')}`]),
        ...(fix === undefined ? [] : [`   - Fix: ${prose(fix)}`]),
      ].join('\n'),
    );
    return own.length === 0 ? [] : [`### ${SEVERITY_MARKS[severity]} ${severity}\n\n${items.join('\n')}`];
  });
  return ['## 📋 Recommendations', ...sections].join('\n\n');
}

function quickFixes({ quick_fix_commands: commands }: SuiteReport): string {
  if (commands.length === 0) return '';
  const lines = commands.map(({ description, command }) => `# ${description.replace(/\s+/g, ' ')}\n${command}`);
  return `## 🔧 Quick fix commands\n\n${fence(lines.join('\n\n'), 'sh')}`;
}

function metaAnalysis({ meta_analysis: { status, detail, problems } }: SuiteReport): string {
  return [
    `## 🧠 Analysis by an agent\n\n**State:** ${status}: ${prose(detail)}`,
    listed('**Left out of it:**', problems.map(prose)),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

function artifacts({ artifacts: found, environment }: SuiteReport): string {
  const items = found.map(({ path, description }) => `${code(path)}: ${prose(description)}`);
  return [
    `## 📁 Artifacts\n\nEverything is in ${code(environment.workspace)}.`,
    items.map((item) => `- ${item}`).join('\n'),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}
