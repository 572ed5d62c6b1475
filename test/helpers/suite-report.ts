import type { ReportedContext, ReportedResult, SuiteReport } from '../../src/results/schema.js';

/** What was seen of a case that ran on the reference loop. */
export function sampleContext(parts: Partial<ReportedContext> = {}): ReportedContext {
  return {
    config_yaml: 'cli:\n  backend: claude\n',
    prompt_content: 'Build it.',
    command_line: 'understudy loop run -c ralph.yml',
    exit_code: 0,
    timed_out: false,
    stdout: '',
    stderr: '',
    events_emitted: [],
    iterations: [],
    iterations_completed: 1,
    workspace_files: [],
    ...parts,
  };
}

/** A result; by its id it is one of the hat cases on Claude. */
export function sampleResult(
  scenarioId: string,
  status: ReportedResult['status'],
  parts: Partial<ReportedResult> = {},
): ReportedResult {
  return {
    scenario_id: scenarioId,
    case_id: scenarioId.replace(/@.*/, ''),
    scenario_description: `The case ${scenarioId}`,
    backend: 'claude',
    tier: 'Hat Collections',
    status,
    passed: status === 'passed',
    harness_error: false,
    duration_seconds: 1.5,
    assertions: status === 'skipped' ? [] : [assertion(status === 'passed')],
    baselines: [],
    pressure_factors: [],
    quality_criteria: [],
    ...(status === 'skipped' ? { reason: 'nobody is signed in' } : { context: sampleContext() }),
    ...(status === 'failed'
      ? {
          diagnosis: {
            failure_type: 'EventMissing' as const,
            root_cause_hypothesis: 'The event was never written.',
            evidence: ['no build.done among 2 events'],
            similar_failures: [],
            suggested_investigations: ['Read the events file.'],
            potential_fixes: [{ description: 'Name the event in the prompt.', confidence: 0.5 }],
            source: 'rules' as const,
          },
        }
      : {}),
    ...(status === 'passed'
      ? {
          analysis: {
            quality_score: 'Good' as const,
            metrics: {
              duration_seconds: 1.5,
              iterations_used: 1,
              iterations_expected: 1,
              events_emitted: 2,
              tool_calls: 0,
              retries_needed: 0,
            },
            warnings: [],
            optimizations: [],
            source: 'rules' as const,
          },
        }
      : {}),
    ...parts,
  };
}

function assertion(passed: boolean): ReportedResult['assertions'][number] {
  return {
    name: 'build.done is published',
    category: 'EventEmitted',
    passed,
    expected: 'an event build.done',
    actual: passed ? 'it is there' : 'task.start',
  };
}

/** A report of these results, made without the code that makes reports. */
export function sampleReport(results: readonly ReportedResult[]): SuiteReport {
  const count = (status: string) => results.filter((result) => result.status === status).length;
  const counts = { total: results.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  const good = results.filter(({ analysis }) => analysis?.quality_score === 'Good').length;
  return {
    schema_version: 1,
    timestamp: '2026-01-20T14:30:00Z',
    duration_seconds: 12.3,
    understudy_version: '0.1.0',
    ralph_version: '0.1.0',
    orchestrator: { kind: 'reference', version: '0.1.0', command: 'understudy loop' },
    stage: 'sim',
    passed: counts.failed === 0,
    verdict: `${counts.failed} tests failed`,
    exit_code: counts.failed === 0 ? 0 : 1,
    backends_tested: [
      { backend: 'claude', version: '0.1.0', available: true, authenticated: true, detail: 'a stand-in' },
    ],
    environment: { os: 'linux', node: 'v20', ralph_binary: 'understudy loop', workspace: '.e2e-tests', env_vars: {} },
    summary: {
      ...counts,
      by_tier: { 'Hat Collections': counts },
      by_backend: { claude: counts },
      failures_by_category: counts.failed === 0 ? {} : { EventMissing: counts.failed },
      quality_breakdown: { optimal: 0, good, acceptable: 0, suboptimal: 0 },
    },
    results: [...results],
    patterns: [],
    rationalizations: [],
    loopholes: [],
    recommendations: [],
    quick_fix_commands: [],
    artifacts: [],
    meta_analysis: { status: 'skipped', detail: 'not yet', problems: [] },
  };
}
