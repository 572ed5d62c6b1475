import { countOf, shorten } from '@understudy/kit';
import { areas, byArea } from './areas.js';
import { type Change, groupBy, type SeenChange } from './change.js';
import type { Comparison } from './drift.js';

const LONGEST = 160;
const NAMED_CASES = 3;

/** The comparisons for people: what is affected, then one section for each area, one line for each change. */
export function driftMarkdown(comparisons: readonly Comparison[]): string {
  return `${['# Drift', ...comparisons.map(describeComparison)].join('\n\n')}\n`;
}

function describeComparison({ before, after, cases, interruptedOf, changes, unjudged }: Comparison): string {
  const found = byArea(changes);
  const affected = areas.map((area) => `- ${area}: ${describeArea(found.get(area))}`);
  const sections = [...found].map(([area, own]) => `### ${area} (${own.length})\n\n${linesOf(own).join('\n')}`);
  return [
    `## ${before} → ${after}`,
    ...(interruptedOf === undefined
      ? []
      : [`**Only a part: it was interrupted after ${cases} of ${plural(interruptedOf, 'case')}.**`]),
    `${plural(changes.length, 'change')} in ${plural(cases, 'case')}.`,
    affected.join('\n'),
    ...(unjudged.length === 0 ? [] : [`Not compared, because one of them did not end: ${unjudged.join(', ')}.`]),
    ...sections,
  ].join('\n\n');
}

const NAMED_SUBJECTS = 5;

/** `3 changes (PreToolUse, Stop)`: which hooks, commands and tools. */
function describeArea(changes: readonly SeenChange[] | undefined): string {
  if (changes === undefined) return 'no change';
  const subjects = [...new Set(changes.map(({ subject }) => subject))];
  const named = subjects.slice(0, NAMED_SUBJECTS).map(code).join(', ');
  return `${plural(changes.length, 'change')} (${named}${subjects.length > NAMED_SUBJECTS ? ' …' : ''})`;
}

function plural(count: number, noun: string): string {
  return count === 0 ? `No ${noun}s` : countOf(count, noun);
}

/** What came or went of one thing in the same cases is one line. */
function linesOf(changes: readonly SeenChange[]): string[] {
  const isWhole = ({ before, after }: Change): boolean => (before === undefined) === (after === undefined);
  const groups = groupBy(changes, (change) => {
    const way = isWhole(change) ? JSON.stringify(change) : change.before === undefined ? 'new' : 'gone';
    return JSON.stringify([change.kind, change.subject, way, change.cases]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [`- ${describe(first, group)} *(${describeCases(first.cases)})*`];
  });
}

function describe({ kind, subject, before, after }: Change, group: readonly Change[]): string {
  const name = subject === kind ? code(subject) : `${kind} ${code(subject)}`;
  if (before === undefined && after === undefined) return name;
  if (before === undefined) return `${name}: new ${group.map((change) => code(change.after ?? '')).join(', ')}`;
  if (after === undefined) return `${name}: gone ${group.map((change) => code(change.before ?? '')).join(', ')}`;
  const [old, own] = fromDifference(before, after);
  return `${name}: ${code(old)} → ${code(own)}`;
}

/** The parts of two long texts that begin shortly before they differ. */
function fromDifference(before: string, after: string): [string, string] {
  if (before.length <= LONGEST && after.length <= LONGEST) return [before, after];
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  const from = Math.max(0, at - 40);
  const cut = (text: string): string => `${from > 0 ? '…' : ''}${text.slice(from)}`;
  return [cut(before), cut(after)];
}

function describeCases(cases: readonly string[]): string {
  const named = cases.slice(0, NAMED_CASES).join(', ');
  return cases.length > NAMED_CASES ? `${cases.length} cases: ${named} …` : named;
}

/** On one line, and whatever is in it. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const short = shorten(line, LONGEST);
  if (short === '') return '(nothing)';
  const longest = Math.max(0, ...(short.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${short}${fence}` : `${fence} ${short} ${fence}`;
}
