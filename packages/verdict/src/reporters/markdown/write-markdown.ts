import { cutTexts } from '@understudy/kit';
import type { EntryResult } from '../../results/entry-result.js';
import { isolationText } from '../../results/isolation.js';
import type { RunResult } from '../../results/run-result.js';
import { severities } from '../../results/sections.js';
import { countEntries } from '../../results/summarize.js';
import { suiteView } from '../suite-view.js';
import { agentPrompt } from './agent-prompt.js';
import { type ContextPath, contextPaths } from './context-file.js';
import { failedTests } from './failed-tests.js';
import { SEVERITY_MARKS } from './marks.js';
import { passedTests } from './passed-tests.js';
import { targetTable } from './target-table.js';
import { code, fence, listed, prose, sections, table } from './text.js';

/** Nobody reads more of one text in a report; report.json and the contexts have the whole. */
const LONGEST_TEXT = 200_000;

/** The first line of report.md. */
export const TITLE = '# Understudy report';

/**
 * report.md: for people, and for agents that act on it. What to do comes first, then each failure in short; whole
 * contexts are in files beside it (`contextFiles`). Without a file there is nothing beside it.
 */
export function writeMarkdown(whole: RunResult, file: string | undefined): string {
  const run = cutTexts(whole, LONGEST_TEXT);
  const pathOf: ContextPath = file === undefined ? () => undefined : contextPaths(run, file);
  const parts = [
    head(run),
    recommendations(run),
    forAgents(file ?? 'report.md'),
    failedTests(run.entries, pathOf),
    summary(run),
    withoutVerdict('⏭️ Tests that did not run', run, 'skipped', 'interrupted'),
    withoutVerdict('🟡 Tests that failed as expected', run, 'expected_failure'),
    loopholes(run),
    rationalizations(run),
    passedTests(run.entries, pathOf),
    quickFixes(run),
    analysis(run),
    artifacts(run),
  ];
  return `${sections(parts, '\n\n---\n\n')}\n`;
}

function forAgents(file: string): string {
  return `## 🤖 For an agent\n\nGive an agent this prompt to work on the report:\n\n${fence(agentPrompt(file), 'markdown')}`;
}

function head(run: RunResult): string {
  const verdict = run.exit_code === 0 ? '🟢 PASSED' : run.exit_code === 1 ? '🔴 FAILED' : '⚪ NO VERDICT';
  const { orchestrator, environment, shard, isolation } = run;
  const stages = [...new Set(run.entries.map(({ stage }) => stage))];
  return sections([
    TITLE,
    `## ${verdict}${run.counts.skipped === 0 ? '' : `, ${run.counts.skipped} of ${run.counts.total} skipped`}`,
    [
      `**Started:** ${prose(run.started_at)}`,
      ...(orchestrator === undefined ? [] : [`**Orchestrator:** ${describeOrchestrator(orchestrator)}`]),
      `**Understudy:** ${prose(run.understudy_version)}, stage ${prose(stages.join(', ') || 'none')}`,
      `**Machine:** ${prose(environment.os)}, Node.js ${prose(environment.node)}`,
      ...(isolation === undefined
        ? []
        : [`**Isolation:** ${prose(isolationText(isolation).replace('isolation: ', ''))}`]),
      ...(shard === undefined ? [] : [`**Shard:** ${shard.index} of ${shard.count}`]),
      `**Duration:** ${describeDuration(run.duration_ms / 1000)}`,
      `**Verdict:** ${prose(run.verdict)}`,
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
  ]);
}

function describeOrchestrator(orchestrator: NonNullable<RunResult['orchestrator']>): string {
  const { version, command } = orchestrator;
  return `${suiteView().names(orchestrator).long} ${prose(version)}, called as ${code(command)}`;
}

function describeDuration(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function summary({ counts, entries, agents = [], environment, patterns = [] }: RunResult): string {
  const yes = (value: boolean) => (value ? 'yes' : 'no');
  const types = entries.flatMap(({ diagnosis }) => diagnosis?.failure_type ?? []);
  const variables = Object.entries(environment.env_vars ?? {});
  return sections([
    '## Summary',
    table(
      ['Status', 'Count'],
      Object.entries(counts).map(([status, count]) => [status, String(count)]),
    ),
    countTable('### By group', 'Group', entries, ({ group }) => group),
    rateTable(entries),
    targetTable(entries),
    countTable('### By agent', 'Agent', entries, ({ agent }) => agent),
    agents.length === 0
      ? ''
      : `### Agents\n\n${table(
          ['Agent', 'Version', 'Available', 'Signed in', 'How it is known'],
          agents.map(({ agent, version, available, authenticated, detail }) => [
            prose(agent),
            code(version ?? ''),
            yes(available),
            yes(authenticated),
            prose(detail),
          ]),
        )}`,
    variables.length === 0
      ? ''
      : `### Environment\n\n${table(
          ['Variable', 'Set'],
          variables.map(([name, set]) => [code(name), yes(set)]),
        )}`,
    listed(
      '### Failures by type',
      [...new Set(types)].map((type) => `${type}: ${types.filter((other) => other === type).length}`),
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
  ]);
}

/** How often tests passed on a real model. */
function rateTable(entries: readonly EntryResult[]): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const rows = entries.flatMap(({ id, rate }) =>
    rate === undefined
      ? []
      : [
          [
            code(id),
            `${rate.passed} of ${rate.runs}`,
            `${percent(rate.low)} to ${percent(rate.high)}`,
            percent(rate.threshold),
          ],
        ],
  );
  return rows.length === 0 ? '' : `### Rates\n\n${table(['Test', 'Passed', '95 % interval', 'Needed'], rows)}`;
}

/** The counts of groups of entries. Nothing where no entry has a group. */
function countTable(
  title: string,
  what: string,
  entries: readonly EntryResult[],
  groupOf: (entry: EntryResult) => string | undefined,
): string {
  const groups = [...new Set(entries.flatMap((entry) => groupOf(entry) ?? []))];
  const rows = groups.map((group) => {
    const counts = countEntries(entries.filter((entry) => groupOf(entry) === group));
    return [prose(group), ...Object.values(counts).map(String)];
  });
  return rows.length === 0 ? '' : `${title}\n\n${table([what, ...Object.keys(countEntries([]))], rows)}`;
}

/** Tests that neither passed nor are red, with their reasons. */
function withoutVerdict(title: string, { entries }: RunResult, ...statuses: EntryResult['status'][]): string {
  const rows = entries
    .filter(({ status }) => statuses.includes(status))
    .map(({ id, agent, status, reason }) => [code(id), prose(agent), status, prose(reason ?? '')]);
  return rows.length === 0 ? '' : `## ${title}\n\n${table(['Test', 'Agent', 'Status', 'Reason'], rows)}`;
}

function loopholes({ loopholes: found = [] }: RunResult): string {
  if (found.length === 0) return '';
  const parts = found.map(({ title, pattern, evidence, suggested_counter: counter, new_test: test }) =>
    sections([
      `### Loophole: ${prose(title)}`,
      `**Pattern:** ${prose(pattern)}`,
      listed('**Evidence:**', evidence.map(prose)),
      `**Suggested counter:** ${prose(counter)}`,
      test === undefined ? '' : `**New test to add:** ${code(test)}`,
    ]),
  );
  return sections(['## 🔓 Loopholes', ...parts]);
}

function rationalizations({ rationalizations: found = [] }: RunResult): string {
  const cells = found.map(({ test, rationalization, reality, action }) => [
    code(test),
    code(rationalization),
    prose(reality),
    prose(action),
  ]);
  return cells.length === 0
    ? ''
    : `## 📋 Rationalizations\n\n${table(['Test', 'What the agent said', 'Reality', 'Action'], cells)}`;
}

function recommendations({ recommendations: all = [] }: RunResult): string {
  if (all.length === 0) return '';
  const parts = severities.map((severity) => {
    const items = all
      .filter((recommendation) => recommendation.severity === severity)
      .map(({ title, category, description, affected_tests: ids, suggested_fix: fix }, index) =>
        [
          `${index + 1}. **${prose(title)}** (${prose(category)})`,
          `   - ${prose(description)}`,
          ...(ids.length === 0 ? [] : [`   - Affects: ${ids.map(code).join(', ')}`]),
          ...(fix === undefined ? [] : [`   - Fix: ${prose(fix)}`]),
        ].join('\n'),
      );
    return items.length === 0 ? '' : `### ${SEVERITY_MARKS[severity]} ${severity}\n\n${items.join('\n')}`;
  });
  return sections(['## 📋 Recommendations', ...parts]);
}

const MOST_COMMANDS = 10;

/** The commands that run a test again are with the test. */
function quickFixes({ quick_fix_commands: all = [], entries }: RunResult): string {
  const again = new Set(entries.map(({ rerun }) => rerun));
  const commands = all.filter(({ command }) => !again.has(command));
  if (commands.length === 0) return '';
  const lines = commands
    .slice(0, MOST_COMMANDS)
    .map(({ description, command }) => `# ${description.replace(/\s+/g, ' ')}\n${command}`);
  return `## 🔧 Quick fix commands\n\n${fence(lines.join('\n\n'), 'sh')}`;
}

function analysis({ analysis: done }: RunResult): string {
  if (done === undefined) return '';
  return sections([
    `## 🧠 Analysis by an agent\n\n**State:** ${done.status}: ${prose(done.detail)}`,
    listed('**Left out of it:**', done.problems.map(prose)),
  ]);
}

function artifacts({ artifacts: found = [] }: RunResult): string {
  return listed(
    '## 📁 Artifacts',
    found.map(({ path, description }) => `${code(path)}: ${prose(description)}`),
  );
}
