import { field } from '@understudy/kit';
import { pick } from '@understudy/stage';
import * as z from 'zod/mini';
import { allOf, defineCheck, givenAt, type Written, words } from './define-check.js';
import { type UnknownName, unknownAmong, unlessUnknown } from './known-names.js';
import { type Observed, observedTools } from './observed.js';
import { ifReported } from './reported.js';
import { type CheckResult, statusOf } from './result.js';
import { reviewEmpty } from './review-expected.js';

const namesSchema = z.strictObject({
  any: field('At least one of these.', words),
  all: field('All of these.', words),
  none: field('None of these.', words),
});

/** Names of skills or subagents. A plugin's prefix may be left out. */
export type ExpectedNames = Written<typeof namesSchema>;

/** As a list, all of them. */
const listOrNames = z.union([words, namesSchema]);

/** Which skills were used in the turn: called by the model, or typed by the user as a command. */
export function checkSkills(seen: Observed, expected: ExpectedNames): CheckResult[] {
  const called = observedTools(seen.turn).flatMap(({ tool, input, result }) =>
    /^skill$/i.test(tool) && result?.status === 'ok' ? textIn(input, ['skill', 'name', 'command']) : [],
  );
  const skills = new Set(pick(seen.all, 'session').flatMap((session) => session.skills ?? []));
  const typed = pick(seen.turn, 'command').flatMap(({ name, status }) =>
    status === 'expanded' && skills.has(name) ? [name] : [],
  );
  return checkNames('skills', [...typed, ...called], expected, [...skills]).map((result) =>
    ifReported(seen, 'tools', result),
  );
}

/** Which subagents worked in the turn. */
export function checkSubagents(seen: Observed, expected: ExpectedNames): CheckResult[] {
  const started = pick(seen.turn, 'subagent_started').map(({ agent }) => agent);
  const known = [...new Set(pick(seen.all, 'session').flatMap((session) => session.agents ?? []))];
  return checkNames('subagents', started, expected, known).map((result) => ifReported(seen, 'subagents', result));
}

function checkNames(
  what: 'skills' | 'subagents',
  used: readonly string[],
  { any, all, none }: ExpectedNames,
  known: readonly string[],
): CheckResult[] {
  const has = (wanted: string) => used.some((name) => isNamed(wanted, name));
  // What was used is known, wherever it came from.
  const unknown = (names: readonly string[]): UnknownName[] =>
    known.length === 0 ? [] : unknownAmong([...known, ...used], names, isNamed);
  const result = (kind: string, names: readonly string[], expected: string, passed: boolean): CheckResult =>
    unlessUnknown(judged(kind, names, expected, passed), what === 'skills' ? 'skill' : 'subagent', unknown(names));
  const judged = (kind: string, names: readonly string[], expected: string, passed: boolean): CheckResult => ({
    name: `${what}: ${kind}`,
    category: what,
    subject: { kind: what === 'skills' ? 'skill' : 'subagent', names: [...names] },
    present: names.some(has),
    status: statusOf(passed),
    expected,
    actual: used.length === 0 ? `no ${what} were used` : used.join(', '),
    evidence: passed || known.length === 0 ? [] : [`the agent has: ${known.join(', ')}`],
  });
  return [
    ...(any === undefined ? [] : [result('any', any, `one of ${any.join(', ')}`, any.some(has))]),
    ...(all === undefined ? [] : [result('all', all, `all of ${all.join(', ')}`, all.every(has))]),
    ...(none === undefined ? [] : [result('none', none, `none of ${none.join(', ')}`, !none.some(has))]),
  ];
}

function isNamed(wanted: string, name: string): boolean {
  const bare = wanted.replace(/^\//, '');
  return name === bare || (!bare.includes(':') && name.endsWith(`:${bare}`));
}

function textIn(input: Record<string, unknown>, fields: readonly string[]): string[] {
  const value = fields.map((field) => input[field]).find((candidate) => typeof candidate === 'string');
  return typeof value === 'string' ? [value.replace(/^\//, '')] : [];
}

export const skills = defineCheck({
  fields: { skills: field('Skills that were used; a list means all of them.', listOrNames) },
  scopes: ['step', 'call'],
  page: 'checks.md#skills-and-subagents',
  judge: (seen, { skills }, place) =>
    givenAt(place)(['skills'], skills, (wanted) => checkSkills(seen, allOf<ExpectedNames>(wanted))),
  review: ({ skills }) => reviewEmpty('skills', skills),
});

export const subagents = defineCheck({
  fields: { subagents: field('Subagents that worked; a list means all of them.', listOrNames) },
  scopes: ['step', 'call'],
  page: 'checks.md#skills-and-subagents',
  judge: (seen, { subagents }, place) =>
    givenAt(place)(['subagents'], subagents, (wanted) => checkSubagents(seen, allOf<ExpectedNames>(wanted))),
  review: ({ subagents }) => reviewEmpty('subagents', subagents),
});
