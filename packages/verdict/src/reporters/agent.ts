import { cut, formatLocation, visibleOnOneLine } from '@understudy/kit';
import { causesOf, describeBecause } from '../results/causes.js';
import { seconds } from '../results/duration.js';
import { type EntryResult, isRed } from '../results/entry-result.js';
import { errorFix, errorText } from '../results/error-text.js';
import { isolationText } from '../results/isolation.js';
import { placeText, targetCounts } from '../results/matrix.js';
import { reportedDiagnosis } from '../results/reported-diagnosis.js';
import type { RunResult } from '../results/run-result.js';
import { failureLocation } from './failure-summary.js';

const LONGEST = 600;

/** For an agent that reads the output: every failure, each fact once, and nothing of what passed. */
export function writeAgentReport(run: RunResult): string {
  const red = run.entries.filter((entry) => isRed(entry) && entry.status !== 'interrupted');
  const flaky = run.entries.filter(({ status }) => status === 'flaky');
  const word = run.exit_code === 0 ? 'PASSED' : run.exit_code === 1 ? 'FAILED' : 'NO VERDICT';
  const lines = [
    `${word}: ${run.verdict} (${run.counts.total} in all, ${seconds(run.duration_ms)}, exit code ${run.exit_code})`,
    ...(run.isolation === undefined ? [] : [isolationText(run.isolation)]),
    ...[targetCounts(run.entries) ?? []].flat(),
    ...red.flatMap((entry, index) => ['', ...describe(entry, index + 1)]),
    ...flaky.map(({ name, attempts }) => `flaky: ${name} passed at attempt ${attempts}`),
    ...reasons(run.entries, 'expected_failure', 'failed as expected'),
    ...reasons(run.entries, 'skipped', 'skipped'),
  ];
  return `${lines.map((line) => visibleOnOneLine(cut(line, LONGEST))).join('\n')}\n`;
}

function describe(entry: EntryResult, number: number): string[] {
  const where = formatLocation(failureLocation(entry));
  const lines = [`${number}. ${entry.status}: ${entry.name} [${placeText(entry)}]${where === '' ? '' : ` ${where}`}`];
  if (entry.error !== undefined) {
    const fix = errorFix(entry.error);
    const [first = '', ...others] = errorText(entry.error).split('\n');
    lines.push(
      `   error ${entry.error.code}: ${first}`,
      ...others.filter((line) => line !== '').map((line) => `   ${line}`),
    );
    if (fix !== undefined) lines.push(`   fix: ${fix}`);
  }
  let step: number | undefined;
  for (const cause of causesOf(entry)) {
    const { step: own, check, because } = cause;
    if (own !== undefined && own !== step) {
      const { send = '', said = '' } = entry.steps.find(({ number: of }) => of === own) ?? {};
      lines.push(`   step ${own} sent: ${send}`, `   step ${own} agent said: ${said}`);
    }
    step = own;
    const at = formatLocation(check.defined_at);
    lines.push(
      `   ${check.status} check: ${check.name}${at === '' || at === where ? '' : ` (${at})`}`,
      `     expected: ${check.expected}`,
      `     seen: ${check.actual}`,
      ...check.evidence.slice(0, 3).map((piece) => `     evidence: ${piece}`),
      ...(check.suggestion === undefined ? [] : [`     fix: ${check.suggestion}`]),
      ...(because.length === 0 ? [] : [`     ${describeBecause(cause)}`]),
    );
  }
  const missed = entry.steps.filter(({ reached }) => !reached).map(({ number: of }) => of);
  if (missed.length > 0) lines.push(`   steps not reached, the conversation had ended: ${missed.join(', ')}`);
  const diagnosis = reportedDiagnosis(entry);
  if (diagnosis !== undefined) {
    lines.push(`   diagnosis: ${diagnosis.failure_type}: ${diagnosis.root_cause_hypothesis}`);
  }
  if (entry.artifacts !== undefined) lines.push(`   events, requests and project: ${entry.artifacts}`);
  lines.push(`   run again: ${entry.rerun}`);
  return lines;
}

/** Each reason once, with how many entries have it. */
function reasons(entries: readonly EntryResult[], wanted: EntryResult['status'], what: string): string[] {
  const counts = new Map<string, number>();
  for (const { status, reason = 'no reason given' } of entries) {
    if (status === wanted) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${what} ${count}: ${reason}`);
}

/** Variables that coding agents set for the commands they run. */
const AGENT_VARIABLES = [
  'CLAUDECODE',
  'GEMINI_CLI',
  'OPENCODE',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'CURSOR_AGENT',
  'AI_AGENT',
];

/** Whether a coding agent started us. */
export function isRunByAgent(environment: NodeJS.ProcessEnv): boolean {
  return AGENT_VARIABLES.some((name) => !['', '0', 'false', undefined].includes(environment[name]));
}
