import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import type { Diagnosis, Recommendation } from '../results/sections.js';
import { suitesOf } from './suite.js';

type Loopholes = NonNullable<RunResult['loopholes']>;

/** What kind of work a type of failure asks for. */
const CAUSES: Record<Diagnosis['failure_type'], { category: string; title: string }> = {
  BackendError: { category: 'backend', title: 'An agent’s CLI fails' },
  PromptIneffective: { category: 'prompt', title: 'Prompts have no effect' },
  EventMissing: { category: 'event', title: 'Events are missing' },
  EventMalformed: { category: 'event', title: 'Events are malformed' },
  TimeoutExceeded: { category: 'timeout', title: 'Tests do not end in time' },
  UnexpectedTermination: { category: 'termination', title: 'The loop ends in an unexpected way' },
  AssertionMismatch: { category: 'behavior', title: 'The behavior is not as expected' },
  ConfigurationError: { category: 'config', title: 'The configuration is refused' },
  AuthenticationError: { category: 'backend', title: 'Credentials are refused' },
  UnknownCommand: { category: 'plugin', title: 'Commands are missing' },
  PluginLoadError: { category: 'plugin', title: 'Plugins do not load' },
  HookMismatch: { category: 'hook', title: 'Hooks do not do what they should' },
  ToolNotUsed: { category: 'tool', title: 'Tools are not used' },
  WorkflowStuck: { category: 'workflow', title: 'The workflow does not move on' },
  ChangeMissing: { category: 'work', title: 'Files or commits are missing' },
  RequestUnanswered: { category: 'script', title: 'The script does not answer every request' },
  StandInRefused: { category: 'stage', title: 'The stand-in refuses what the real CLI does' },
  RuleUnused: { category: 'script', title: 'Rules of the script are never used' },
  TriedOutside: { category: 'isolation', title: 'Something outside of the sandbox is tried' },
  NotJudged: { category: 'record', title: 'Checks could not be made' },
  HarnessError: { category: 'harness', title: 'The harness could not run tests' },
  BaselineGreen: { category: 'baseline', title: 'Cases pass without the thing under test' },
  Unknown: { category: 'unknown', title: 'Tests failed for an unknown reason' },
};

/** What to do, the worst first. */
export function recommend(results: readonly EntryResult[], loopholes: Loopholes): Recommendation[] {
  return [
    ...aboutFailures(results),
    ...aboutQuality(results, ['Acceptable', 'Suboptimal'], 'Warning'),
    ...aboutLoopholes(loopholes),
    ...aboutQuality(results, ['Good'], 'Info'),
    ...aboutSkipped(results),
    ...suitesOf(results).flatMap((suite) => suite.recommend(results)),
  ];
}

function idsOf(results: readonly EntryResult[]): string[] {
  return results.map(({ id }) => id);
}

/** Values by a key, in the order in which the keys come first. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return [...groups];
}

function aboutFailures(results: readonly EntryResult[]): Recommendation[] {
  const diagnosed = results.flatMap(({ id, diagnosis }) => (diagnosis === undefined ? [] : [{ id, diagnosis }]));
  return groupBy(diagnosed, ({ diagnosis }) => diagnosis.failure_type).map(([type, failed]) => {
    const fixes = failed.flatMap(({ diagnosis }) => diagnosis.potential_fixes);
    const [best] = [...fixes].sort((a, b) => b.confidence - a.confidence);
    return {
      severity: 'Critical',
      ...CAUSES[type as Diagnosis['failure_type']],
      description: [...new Set(failed.map(({ diagnosis }) => diagnosis.root_cause_hypothesis))].join(' '),
      affected_tests: failed.map(({ id }) => id),
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
  results: readonly EntryResult[],
  scores: readonly string[],
  severity: Recommendation['severity'],
): Recommendation[] {
  const remarks = results.flatMap((result) =>
    scores.includes(result.quality?.quality_score ?? '')
      ? (result.quality?.warnings ?? []).map((warning) => ({ result, warning }))
      : [],
  );
  return groupBy(remarks, ({ warning }) => warning.category).map(([category, group]) => {
    const change = group[0]?.result.quality?.optimizations[0]?.suggested_change;
    return {
      severity,
      category: 'optimization',
      title: `${group.length} passed with ${category}`,
      description: group.map(({ result, warning }) => `${result.id}: ${warning.message}`).join('; '),
      affected_tests: idsOf(group.map(({ result }) => result)),
      ...(change === undefined ? {} : { suggested_fix: change }),
    };
  });
}

function aboutLoopholes(loopholes: Loopholes): Recommendation[] {
  return loopholes.map(({ title, pattern, affected_tests: ids, suggested_counter: counter }) => ({
    severity: 'Warning',
    category: 'loophole',
    title,
    description: pattern,
    affected_tests: ids,
    suggested_fix: counter,
  }));
}

function aboutSkipped(results: readonly EntryResult[]): Recommendation[] {
  const skipped = results.filter(({ status }) => status === 'skipped');
  return groupBy(skipped, ({ reason }) => reason ?? 'no reason was given').map(([reason, group]) => ({
    severity: 'Info',
    category: 'skipped',
    title: `${group.length} skipped`,
    description: `Nothing is known about these: ${reason}`,
    affected_tests: idsOf(group),
  }));
}
