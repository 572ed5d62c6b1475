import {
  type Diagnosis,
  type PassedAnalysis,
  qualityScores,
  type ReportedResult,
  type SuiteReport,
} from '../../results/schema.js';
import { summarizeResults } from '../../results/summary.js';
import { spokenBy } from '../spoken.js';
import { type Answer, type Entry, harnessFailures } from './answer-schema.js';
import type { Problems } from './problems.js';

/** The report with what was taken of the answer, and how much that was. */
export interface Merged {
  report: SuiteReport;
  taken: number;
}

/**
 * Puts an answer into a report. It adds explanations; status, assertions, counts and verdict are
 * those of the run, whatever the answer says. What contradicts the run is told and left out.
 */
export function mergeAnswer(report: SuiteReport, answer: Answer, problems: Problems): Merged {
  const known = new Map(report.results.map((result) => [result.scenario_id, result]));
  const failed = byTest(answer.failed_analyses, 'failed', known, problems);
  const passed = byTest(answer.passed_analyses, 'passed', known, problems);
  const results = report.results.map((result) => {
    const [diagnosis, quality] = [failed.get(result.scenario_id), passed.get(result.scenario_id)];
    if (diagnosis !== undefined) return { ...result, diagnosis: mergeDiagnosis(result.diagnosis, diagnosis) };
    if (quality !== undefined && result.analysis !== undefined)
      return { ...result, analysis: mergeQuality(result.analysis, quality, problems) };
    if (quality !== undefined) problems.add(`${result.scenario_id} was not measured; its analysis is left out`);
    else if (result.status === 'failed')
      problems.add(`the answer says nothing of ${result.scenario_id}, which failed; the rules' diagnosis stays`);
    return result;
  });
  const patterns = withKnownTests(answer.patterns, 'patterns', known, problems);
  const recommendations = withKnownTests(answer.recommendations, 'recommendations', known, problems);
  const rationalizations = answer.rationalizations.filter((entry) => wasSaid(entry, known, problems));
  return {
    report: {
      ...report,
      // The kinds of failures and the grades may have changed; how many passed and failed has not.
      summary: summarizeResults(results),
      results,
      patterns: [...report.patterns, ...patterns],
      recommendations: [...report.recommendations, ...recommendations],
      rationalizations: [...report.rationalizations, ...rationalizations],
      loopholes: [...report.loopholes, ...answer.loopholes],
    },
    taken: [patterns, recommendations, rationalizations, answer.loopholes].reduce(
      (sum, list) => sum + list.length,
      results.filter((result, index) => result !== report.results[index]).length,
    ),
  };
}

type Known = ReadonlyMap<string, ReportedResult>;

/** The analyses by test. One of a test that is not there, or that ended otherwise, is a lie. */
function byTest<T extends { scenario_id: string }>(
  analyses: readonly T[],
  status: 'failed' | 'passed',
  known: Known,
  problems: Problems,
): Map<string, T> {
  const taken = new Map<string, T>();
  for (const analysis of analyses) {
    const id = analysis.scenario_id;
    const result = known.get(id);
    if (result === undefined) problems.add(`${status}_analyses: there is no test ${quoted(id)}; left out`);
    else if (result.status !== status)
      problems.add(`${status}_analyses: ${id} is ${result.status}, not ${status}; left out`);
    else if (taken.has(id)) problems.add(`${status}_analyses: ${id} is there twice; the first is taken`);
    else taken.set(id, analysis);
  }
  return taken;
}

/** The agent's reading first; what the rules had found stays with it. */
function mergeDiagnosis(rules: Diagnosis | undefined, agent: Entry<'failed_analyses'>): Diagnosis {
  const { scenario_id: _, ...said } = agent;
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

/** The rules have measured: an agent may see more trouble than they do, not less. */
function mergeQuality(
  rules: PassedAnalysis,
  { scenario_id, quality_score, warnings, optimizations }: Entry<'passed_analyses'>,
  problems: Problems,
): PassedAnalysis {
  const better = qualityScores.indexOf(quality_score) < qualityScores.indexOf(rules.quality_score);
  if (better)
    problems.add(`${scenario_id} is ${quality_score} by the answer and ${rules.quality_score} as measured; that stays`);
  return {
    ...rules,
    quality_score: better ? rules.quality_score : quality_score,
    warnings: [...rules.warnings, ...warnings],
    optimizations: [...rules.optimizations, ...optimizations],
    source: 'agent',
  };
}

/** The entries without the tests that they invent; one that is about invented tests only is invented. */
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
function wasSaid({ test, rationalization }: Entry<'rationalizations'>, known: Known, problems: Problems): boolean {
  const result = known.get(test);
  if (result === undefined) {
    problems.add(`rationalizations: there is no test ${quoted(test)}; left out`);
    return false;
  }
  const { context } = result;
  const payloads = context?.events_emitted.map(({ payload }) => payload) ?? [];
  const said = context === undefined ? [] : [...spokenBy(context).map(({ text }) => text), ...payloads];
  const words = unquoted(comparable(rationalization));
  if (words !== '' && said.some((text) => comparable(text).includes(words))) return true;
  problems.add(`rationalizations: nobody in ${test} has written ${quoted(rationalization)}; left out`);
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
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
