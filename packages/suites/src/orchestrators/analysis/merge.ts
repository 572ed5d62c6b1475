import { shorten } from '@understudy/kit';
import type { EntryResult, RunResult } from '@understudy/verdict';
import { type Diagnosis, type Quality, qualityScores } from '@understudy/verdict';
import { spokenInLoop } from '../../ralph/diagnosis/spoken.js';
import { contextOf } from '../context-schema.js';
import { type Answer, type AnswerEntry, harnessFailures } from './answer-schema.js';
import { isOwnFile } from './own-file.js';
import type { Problems } from './problems.js';

/** The run with what was taken of the answer, and how many parts that were. */
export interface Merged {
  run: RunResult;
  taken: number;
}

/** The statuses that a kind of analysis can be about. */
const STATUSES: Record<'failed' | 'passed', readonly EntryResult['status'][]> = {
  failed: ['failed', 'unjudged', 'error'],
  passed: ['passed', 'flaky'],
};

/**
 * Puts an answer into a run. It adds explanations; status, checks, counts and verdict stay as they are, whatever the
 * answer says. What contradicts the run is named and left out.
 */
export function mergeAnswer(run: RunResult, answer: Answer, problems: Problems): Merged {
  const known = new Map(run.entries.map((entry) => [entry.id, entry]));
  const failed = byTest(answer.failed_analyses, 'failed', known, problems);
  const passed = byTest(answer.passed_analyses, 'passed', known, problems);
  const entries = run.entries.map((entry) => {
    const [diagnosis, quality] = [failed.get(entry.id), passed.get(entry.id)];
    if (diagnosis !== undefined)
      return { ...entry, diagnosis: mergeDiagnosis(entry.diagnosis, withoutOwnFiles(diagnosis, entry, problems)) };
    if (quality !== undefined && entry.quality !== undefined)
      return { ...entry, quality: mergeQuality(entry.quality, quality, problems) };
    if (quality !== undefined) problems.add(`${entry.id} was not measured; its analysis is left out`);
    else if (entry.status === 'failed')
      problems.add(`the answer does not mention ${entry.id}, which failed; the diagnosis by rules stays`);
    return entry;
  });
  const lists = {
    patterns: withKnownTests(answer.patterns, 'patterns', known, problems),
    recommendations: withKnownTests(answer.recommendations, 'recommendations', known, problems),
    rationalizations: answer.rationalizations.filter((entry) => isQuoted(entry, known, problems)),
    loopholes: withKnownTests(answer.loopholes, 'loopholes', known, problems),
  };
  const changed = entries.filter((entry, index) => entry !== run.entries[index]).length;
  return {
    run: {
      ...run,
      entries,
      ...appended('patterns', run.patterns, lists.patterns),
      ...appended('recommendations', run.recommendations, lists.recommendations),
      ...appended('rationalizations', run.rationalizations, lists.rationalizations),
      ...appended('loopholes', run.loopholes, lists.loopholes),
    },
    taken: Object.values(lists).reduce((sum, list) => sum + list.length, changed),
  };
}

/** A list of the run with more in it; a list that would be empty is left out. */
function appended<Name extends string, T>(name: Name, own: readonly T[] | undefined, more: readonly T[]) {
  const all = [...(own ?? []), ...more];
  return (all.length === 0 ? {} : { [name]: all }) as { [Key in Name]?: T[] };
}

type Known = ReadonlyMap<string, EntryResult>;

/** The analyses by test. One of a test that does not exist, or that ended in another way, is wrong. */
function byTest<T extends { test: string }>(
  analyses: readonly T[],
  status: 'failed' | 'passed',
  known: Known,
  problems: Problems,
): Map<string, T> {
  const taken = new Map<string, T>();
  for (const analysis of analyses) {
    const id = analysis.test;
    const result = known.get(id);
    if (result === undefined) problems.add(`${status}_analyses: there is no test ${quoted(id)}; left out`);
    else if (!STATUSES[status].includes(result.status))
      problems.add(`${status}_analyses: ${id} is ${result.status}, not ${status}; left out`);
    else if (taken.has(id)) problems.add(`${status}_analyses: ${id} is there twice; the first is taken`);
    else taken.set(id, analysis);
  }
  return taken;
}

/** The files of a case are written by the harness: a change in them would be gone with the next run. */
function withoutOwnFiles(
  said: AnswerEntry<'failed_analyses'>,
  { kind }: EntryResult,
  problems: Problems,
): AnswerEntry<'failed_analyses'> {
  const fixes = said.potential_fixes.map((fix) => {
    const { file_to_modify: file, ...rest } = fix;
    if (kind !== 'case' || file === undefined || !isOwnFile(file)) return fix;
    problems.add(`${said.test}: ${quoted(file)} is written by the harness; the name of the file is left out`);
    return rest;
  });
  return { ...said, potential_fixes: fixes };
}

/** The agent's reading comes first; what the rules found is kept. */
function mergeDiagnosis(rules: Diagnosis | undefined, agent: AnswerEntry<'failed_analyses'>): Diagnosis {
  const { test: _, ...said } = agent;
  if (rules === undefined) return { ...said, similar_failures: [], source: 'agent' };
  return {
    failure_type: harnessFailures.includes(rules.failure_type) ? rules.failure_type : said.failure_type,
    root_cause_hypothesis: said.root_cause_hypothesis,
    evidence: unique([
      ...said.evidence,
      ...rules.evidence,
      `By the rules: ${rules.failure_type}. ${rules.root_cause_hypothesis}`,
    ]),
    similar_failures: rules.similar_failures,
    suggested_investigations: unique([...said.suggested_investigations, ...rules.suggested_investigations]),
    potential_fixes: [...said.potential_fixes, ...rules.potential_fixes],
    source: 'agent',
  };
}

/** The rules have measured: an agent may find more problems than they do, not fewer. */
function mergeQuality(
  rules: Quality,
  { test, quality_score, warnings, optimizations }: AnswerEntry<'passed_analyses'>,
  problems: Problems,
): Quality {
  const better = qualityScores.indexOf(quality_score) < qualityScores.indexOf(rules.quality_score);
  if (better)
    problems.add(
      `${test} is ${quality_score} by the answer and ${rules.quality_score} as measured; the measured grade stays`,
    );
  return {
    ...rules,
    quality_score: better ? rules.quality_score : quality_score,
    warnings: [...rules.warnings, ...warnings],
    optimizations: [...rules.optimizations, ...optimizations],
    source: 'agent',
  };
}

/** The entries without invented tests. An entry that names only invented tests is left out. */
function withKnownTests<T extends { affected_tests: string[] }>(
  entries: readonly T[],
  list: string,
  known: Known,
  problems: Problems,
): T[] {
  return entries.flatMap((entry, index) => {
    const invented = entry.affected_tests.filter((id) => !known.has(id));
    if (invented.length === 0) return [entry];
    const rest = entry.affected_tests.filter((id) => known.has(id));
    const what = rest.length === 0 ? 'the entry' : 'the name';
    problems.add(`${list}[${index}]: there is no test ${invented.map(quoted).join(', ')}; ${what} is left out`);
    return rest.length === 0 ? [] : [{ ...entry, affected_tests: rest }];
  });
}

/** A rationalization is a quotation: it must be in what the test's agents have written. */
function isQuoted(
  { test, rationalization }: AnswerEntry<'rationalizations'>,
  known: Known,
  problems: Problems,
): boolean {
  const result = known.get(test);
  if (result === undefined) {
    problems.add(`rationalizations: there is no test ${quoted(test)}; left out`);
    return false;
  }
  const payloads = contextOf(result)?.events_emitted.map(({ payload }) => payload) ?? [];
  const said = [...spokenInLoop(result).map(({ text }) => text), ...payloads];
  const words = unquoted(comparable(rationalization));
  if (words !== '' && said.some((text) => comparable(text).includes(words))) return true;
  problems.add(`rationalizations: no agent in ${test} wrote ${quoted(rationalization)}; left out`);
  return false;
}

/** Words, whatever their case and spacing. */
function comparable(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** Without the marks that a quotation is given. */
function unquoted(text: string): string {
  return text.replaceAll(/^["'“”‘’… ]+|["'“”‘’….,: ]+$/g, '');
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function quoted(text: string): string {
  return JSON.stringify(shorten(text, 80));
}
