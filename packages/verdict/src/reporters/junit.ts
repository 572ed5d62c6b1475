import { cut, defined, visible, visibleOnOneLine, withoutColors } from '@understudy/kit';
import { checksOf, type EntryResult } from '../results/entry-result.js';
import { isolationOf } from '../results/isolation.js';
import { placeText } from '../results/matrix.js';
import type { RunResult } from '../results/run-result.js';
import { describeFailure } from './describe-result.js';
import { describeReason, failureLocation, failureSentence } from './failure-summary.js';

const LONGEST_ATTRIBUTE = 1_000;
const LONGEST_TEXT = 50_000;

/** The result as JUnit XML: a suite for each file or group, a test case for each entry. */
export function writeJunit(run: RunResult): string {
  const suites = new Map<string, EntryResult[]>();
  for (const entry of run.entries) {
    const name = suiteOf(entry);
    suites.set(name, [...(suites.get(name) ?? []), entry]);
  }
  const { total, failed, unjudged, errors, interrupted } = run.counts;
  const all = {
    name: `understudy ${run.command}`,
    tests: total,
    failures: failed + unjudged,
    errors: errors + interrupted,
    time: seconds(run.duration_ms),
  };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(all)}>`,
    ...[...suites].map(([name, entries]) => suite(name, entries, run)),
    '</testsuites>\n',
  ].join('\n');
}

function suiteOf({ group, file, kind }: EntryResult): string {
  return group ?? file ?? kind;
}

function suite(name: string, entries: readonly EntryResult[], run: RunResult): string {
  const count = (...statuses: EntryResult['status'][]) =>
    entries.filter(({ status }) => statuses.includes(status)).length;
  const own = {
    ...{ name, tests: entries.length, failures: count('failed', 'unjudged') },
    ...{ errors: count('error', 'interrupted'), skipped: count('skipped', 'expected_failure') },
    time: seconds(entries.reduce((sum, entry) => sum + entry.duration_ms, 0)),
    timestamp: run.started_at,
  };
  return [`  <testsuite${attributes(own)}>`, ...properties(entries), ...entries.map(testCase), '  </testsuite>'].join(
    '\n',
  );
}

/** How far its entries were kept apart from the machine. */
function properties(entries: readonly EntryResult[]): string[] {
  const { isolation } = isolationOf(entries);
  if (isolation === undefined) return [];
  const { level, reason } = isolation;
  const lines = Object.entries({ isolation: level, ...(reason === undefined ? {} : { isolation_reason: reason }) });
  return [
    '    <properties>',
    ...lines.map(([name, value]) => `      <property${attributes({ name, value })}/>`),
    '    </properties>',
  ];
}

function testCase(entry: EntryResult): string {
  const round = entry.round > 1 ? ` round ${entry.round}` : '';
  const own = {
    name: `${entry.name} [${placeText(entry)}${round}]`,
    assertions: checksOf(entry).length,
    time: seconds(entry.duration_ms),
    classname: suiteOf(entry),
    status: entry.status,
    ...placeOf(entry),
  };
  const about = {
    agent: entry.agent,
    ...defined({ model: entry.model }),
    stage: entry.stage,
    ...defined({ target: entry.target }),
    ...(entry.tags.length === 0 ? {} : { tags: entry.tags.join(' ') }),
  };
  const inner = [
    '<properties>',
    ...Object.entries(about).map(([name, value]) => `  <property${attributes({ name, value })}/>`),
    '</properties>',
    ...[content(entry)].filter((text) => text !== ''),
  ];
  return `    <testcase${attributes(own)}>\n${inner.map((line) => `      ${line}`).join('\n')}\n    </testcase>`;
}

/** Where it failed, else the file that it is. */
function placeOf(entry: EntryResult): { file?: string; line?: number } {
  const { file, line } = failureLocation(entry) ?? {};
  return defined({ file, line });
}

function content(entry: EntryResult): string {
  switch (entry.status) {
    case 'passed':
      return '';
    case 'flaky':
      return `<system-out>passed at attempt ${entry.attempts}</system-out>`;
    case 'skipped':
    case 'expected_failure':
      return `<skipped>${text(describeReason(entry) ?? '')}</skipped>`;
    case 'failed':
    case 'unjudged':
      return failure('failure', entry.status, entry);
    case 'error':
    case 'interrupted':
      return failure('error', entry.error?.code ?? entry.status, entry);
  }
}

function failure(element: 'failure' | 'error', type: string, entry: EntryResult): string {
  const own = { type, message: failureSentence(entry) };
  return `<${element}${attributes(own)}>${text(withoutColors(describeFailure(entry)).trim())}</${element}>`;
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(visibleOnOneLine(cut(String(value), LONGEST_ATTRIBUTE)))}"`)
    .join('');
}

function text(value: string): string {
  return escaped(visible(cut(value, LONGEST_TEXT)));
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Two code points are no characters in XML, and not invisible either. */
function escaped(value: string): string {
  return value.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '').replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
