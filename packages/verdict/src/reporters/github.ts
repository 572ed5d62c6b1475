import { relative, resolve } from 'node:path';
import { cut, visible } from '@understudy/kit';
import { causesOf, describeBecause } from '../results/causes.js';
import { type EntryResult, isRed } from '../results/entry-result.js';
import { errorText } from '../results/error-text.js';
import { isolationText, isUnwanted } from '../results/isolation.js';
import { placeText } from '../results/matrix.js';
import { describeRedCheck } from '../results/red-checks.js';
import type { RunResult } from '../results/run-result.js';
import { failureLocation, failureSentence } from './failure-summary.js';
import { targetTable } from './markdown/target-table.js';
import { code, fence, folded, prose, sections, table } from './markdown/text.js';

const LONGEST_MESSAGE = 4_000;
/** GitHub refuses a summary above 1 MiB. */
const LONGEST_SUMMARY = 900_000;
const SHOWN_FAILURES = 50;

/** Workflow commands that put each failure at the line of its expectation. `root` is the checkout. */
export function githubAnnotations(run: RunResult, root: string): string {
  const lines = run.entries.flatMap((entry) => {
    if (isRed(entry) && entry.status !== 'interrupted') return redAnnotations(entry, root);
    if (entry.status !== 'flaky') return [];
    return [annotation('warning', entry, failureLocation(entry), `passed at attempt ${entry.attempts}`, root)];
  });
  const { isolation } = run;
  const isOpen = isolation !== undefined && isUnwanted(isolation);
  const around = isOpen ? [`::warning title=understudy::${data(isolationText(isolation))}`] : [];
  return [...around, ...lines].map((line) => `${line}\n`).join('');
}

/** One for each line: several checks of one line are one annotation. */
function redAnnotations(entry: EntryResult, root: string): string[] {
  const places = new Map<string, { at: Location; messages: string[] }>();
  for (const red of causesOf(entry)) {
    const at = red.check.defined_at ?? failureLocation({ ...entry, steps: [], checks: [] });
    const key = `${at?.file}:${at !== undefined && 'line' in at ? at.line : ''}`;
    const messages = [
      describeRedCheck(red),
      ...(red.check.suggestion === undefined ? [] : [red.check.suggestion]),
      ...(red.because.length === 0 ? [] : [describeBecause(red)]),
    ];
    const known = places.get(key);
    if (known === undefined) places.set(key, { at, messages });
    else known.messages.push(...messages);
  }
  if (places.size === 0) return [annotation('error', entry, failureLocation(entry), whyOf(entry), root)];
  return [...places.values()].map(({ at, messages }) => annotation('error', entry, at, messages.join('\n'), root));
}

function whyOf(entry: EntryResult): string {
  return entry.error === undefined ? failureSentence(entry) : `${entry.error.code}: ${errorText(entry.error)}`;
}

type Location = ReturnType<typeof failureLocation>;

function annotation(level: 'error' | 'warning', entry: EntryResult, at: Location, message: string, root: string) {
  const fields: [string, string | number | undefined][] = [
    ['file', at === undefined ? undefined : relative(root, resolve(at.file))],
    ['line', at?.line],
    ['col', at?.column],
    ['title', `${entry.name} [${placeText(entry)}]`],
  ];
  const written = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${property(cut(String(value), 300))}`],
  );
  const rerun = `\nRun it again: ${cut(entry.rerun, 1_000)}`;
  return `::${level} ${written.join(',')}::${data(cut(message, LONGEST_MESSAGE) + rerun)}`;
}

function data(text: string): string {
  return visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * A line of output that GitHub Actions does not take for a command. The runner looks for `::` at the start of a line,
 * spaces aside, and for `##[` anywhere: an agent could write either.
 */
export function withoutWorkflowCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

/** The summary of a job: counts, the failures, what was skipped and why. */
export function githubSummary(run: RunResult): string {
  const mark = run.exit_code === 0 ? '🟢' : run.exit_code === 1 ? '🔴' : '⚪';
  const red = run.entries.filter(isRed);
  const others = run.entries.filter(({ status }) => ['skipped', 'flaky', 'expected_failure'].includes(status));
  const text = sections([
    `## ${mark} understudy ${run.command}: ${prose(run.verdict)}`,
    run.isolation === undefined ? '' : prose(isolationText(run.isolation)),
    table(Object.keys(run.counts), [Object.values(run.counts).map(String)]),
    targetTable(run.entries),
    ...red.slice(0, SHOWN_FAILURES).map(describeRed),
    red.length > SHOWN_FAILURES ? `${red.length - SHOWN_FAILURES} more failures are in the other reports.` : '',
    others.length === 0
      ? ''
      : folded(
          'Skipped, flaky, and failed as expected',
          table(
            ['Test', 'Agent', 'Status', 'Reason'],
            others.map(({ name, agent, status, reason, attempts }) => [
              code(cut(name, 200)),
              prose(agent),
              status,
              prose(cut(reason ?? `passed at attempt ${attempts}`, 500)),
            ]),
          ),
        ),
  ]);
  return `${text.length > LONGEST_SUMMARY ? cut(text, LONGEST_SUMMARY) : text}\n\n`;
}

function describeRed(entry: EntryResult): string {
  const causes = causesOf(entry);
  const lines = causes
    .slice(0, 20)
    .flatMap((cause) => [describeRedCheck(cause), ...(cause.because.length === 0 ? [] : [describeBecause(cause)])]);
  const at = causes.find(({ check }) => check.defined_at?.frame !== undefined)?.check.defined_at;
  return sections([
    `### ${prose(cut(entry.name, 200))} (${prose(placeText(entry))})`,
    fence(cut((lines.length > 0 ? lines : [whyOf(entry)]).join('\n'), LONGEST_MESSAGE)),
    at === undefined ? '' : `${code(`${at.file}:${at.line}`)}\n\n${fence(cut(at.frame ?? '', 2_000))}`,
    `Run it again: ${code(cut(entry.rerun, 1_000))}`,
  ]);
}
