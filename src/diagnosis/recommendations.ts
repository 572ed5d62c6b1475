import type { Diagnosis, Recommendation, ReportedResult, SuiteReport } from '../results/schema.js';

/** What kind of work a type of failure asks for. */
const CAUSES: Record<Diagnosis['failure_type'], { category: string; title: string }> = {
  BackendError: { category: 'backend', title: 'An agent’s CLI fails' },
  PromptIneffective: { category: 'prompt', title: 'Prompts do not have their effect' },
  EventMissing: { category: 'event', title: 'Events are missing' },
  EventMalformed: { category: 'event', title: 'Events are malformed' },
  TimeoutExceeded: { category: 'timeout', title: 'Runs do not end in time' },
  UnexpectedTermination: { category: 'termination', title: 'The loop ends otherwise than it should' },
  AssertionMismatch: { category: 'behavior', title: 'The orchestrator behaves otherwise than expected' },
  ConfigurationError: { category: 'config', title: 'The configuration is refused' },
  AuthenticationError: { category: 'backend', title: 'Credentials are refused' },
  HarnessError: { category: 'harness', title: 'The harness could not run cases' },
  BaselineGreen: { category: 'baseline', title: 'Cases pass without the thing that they test' },
  Unknown: { category: 'unknown', title: 'Cases failed for no reason that could be seen' },
};

/** What to do, the worst first. */
export function recommend(results: readonly ReportedResult[], loopholes: SuiteReport['loopholes']): Recommendation[] {
  return [
    ...aboutFailures(results),
    ...aboutQuality(results, ['Acceptable', 'Suboptimal'], 'Warning'),
    ...aboutLoopholes(loopholes),
    ...aboutQuality(results, ['Good'], 'Info'),
    ...aboutSkipped(results),
    ...aboutSlowBackends(results),
  ];
}

function idsOf(results: readonly ReportedResult[]): string[] {
  return results.map(({ scenario_id: id }) => id);
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups];
}

function aboutFailures(results: readonly ReportedResult[]): Recommendation[] {
  const diagnosed = results.flatMap(({ scenario_id: id, diagnosis }) =>
    diagnosis === undefined ? [] : [{ id, diagnosis }],
  );
  return groupBy(diagnosed, ({ diagnosis }) => diagnosis.failure_type).map(([type, cases]) => {
    const fixes = cases.flatMap(({ diagnosis }) => diagnosis.potential_fixes);
    const [best] = [...fixes].sort((a, b) => b.confidence - a.confidence);
    return {
      severity: 'Critical',
      ...CAUSES[type as Diagnosis['failure_type']],
      description: [...new Set(cases.map(({ diagnosis }) => diagnosis.root_cause_hypothesis))].join(' '),
      affected_tests: cases.map(({ id }) => id),
      ...(best === undefined
        ? {}
        : {
            suggested_fix:
              best.file_to_modify === undefined ? best.description : `${best.description} (${best.file_to_modify})`,
          }),
    };
  });
}

function aboutQuality(
  results: readonly ReportedResult[],
  scores: readonly string[],
  severity: Recommendation['severity'],
): Recommendation[] {
  const remarks = results.flatMap((result) =>
    scores.includes(result.analysis?.quality_score ?? '')
      ? (result.analysis?.warnings ?? []).map((warning) => ({ result, warning }))
      : [],
  );
  return groupBy(remarks, ({ warning }) => warning.category).map(([category, group]) => {
    const change = group[0]?.result.analysis?.optimizations[0]?.suggested_change;
    return {
      severity,
      category: 'optimization',
      title: `${group.length} passed with ${category}`,
      description: group.map(({ result, warning }) => `${result.scenario_id}: ${warning.message}`).join('; '),
      affected_tests: idsOf(group.map(({ result }) => result)),
      ...(change === undefined ? {} : { suggested_fix: change }),
    };
  });
}

function aboutLoopholes(loopholes: SuiteReport['loopholes']): Recommendation[] {
  return loopholes.map(({ title, pattern, evidence, suggested_counter: counter }) => ({
    severity: 'Warning',
    category: 'loophole',
    title,
    description: pattern,
    affected_tests: [...new Set(evidence.map((line) => line.slice(0, line.indexOf(':'))))],
    suggested_fix: counter,
  }));
}

function aboutSkipped(results: readonly ReportedResult[]): Recommendation[] {
  const skipped = results.filter(({ status }) => status === 'skipped');
  return groupBy(skipped, ({ reason }) => reason ?? 'no reason was given').map(([reason, group]) => ({
    severity: 'Info',
    category: 'skipped',
    title: `${group.length} skipped`,
    description: `Nothing is known of these: ${reason}`,
    affected_tests: idsOf(group),
  }));
}

const FEWEST_SHARED = 3;
const MUCH_SLOWER = 2;
const WORTH_TELLING_SECONDS = 10;

/** A backend that takes much longer than another for the same cases. */
function aboutSlowBackends(results: readonly ReportedResult[]): Recommendation[] {
  const passed = groupBy(
    results.filter(({ status }) => status === 'passed'),
    ({ backend }) => backend,
  );
  return passed.flatMap(([backend, own]): Recommendation[] => {
    const slower = passed.flatMap(([other, theirs]) => {
      const shared = own.flatMap((mine) => {
        const same = theirs.find(({ case_id: id }) => id === mine.case_id);
        return same === undefined || other === backend ? [] : [{ mine, same }];
      });
      const [here, there] = [shared.map(({ mine }) => mine), shared.map(({ same }) => same)].map(totalSeconds);
      const much =
        here !== undefined && there !== undefined && here > MUCH_SLOWER * there && here - there > WORTH_TELLING_SECONDS;
      return shared.length >= FEWEST_SHARED && much
        ? [`${here.toFixed(1)} s, ${other} ${there.toFixed(1)} s for ${shared.length} cases`]
        : [];
    });
    if (slower.length === 0) return [];
    return [
      {
        severity: 'Info',
        category: 'backend',
        title: `${backend} is slower than others`,
        description: `${backend} took ${slower.join('; ')}.`,
        affected_tests: idsOf(own),
      },
    ];
  });
}

function totalSeconds(results: readonly ReportedResult[]): number {
  return results.reduce((total, { duration_seconds: seconds }) => total + seconds, 0);
}
