import type { ProgramContext, ProgramIteration } from '../../packages/suites/src/orchestrators/context-schema.js';
import { parseEvents, textOutsideEvents } from '../../packages/suites/src/ralph/loop/events.js';
import { registerOrchestrators } from '../../packages/suites/src/ralph/register.js';
import type { CheckResult, CheckStatus } from '../../packages/verdict/src/checks/result.js';
import type { EntryResult } from '../../packages/verdict/src/results/entry-result.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import type { CaseSection } from '../../packages/verdict/src/results/sections.js';
import { summarize } from '../../packages/verdict/src/results/summarize.js';

registerOrchestrators();

/** What was observed of a case that ran on the reference loop. */
export function sampleContext(parts: Partial<ProgramContext> = {}): ProgramContext {
  return {
    config_yaml: 'cli:\n  backend: claude\n',
    prompt_content: 'Build it.',
    command_line: 'understudy orchestrator loop run -c ralph.yml',
    exit_code: 0,
    timed_out: false,
    duration_ms: 1500,
    stdout: '',
    stderr: '',
    events_emitted: [],
    iterations: [],
    iterations_completed: 1,
    workspace_files: [],
    ...parts,
  };
}

/** An iteration in which the builder did its work, with the events that are in its output. */
export function sampleIteration(parts: Partial<ProgramIteration> = {}): ProgramIteration {
  const { output = 'I build.' } = parts;
  return {
    ...{ iteration: 1, hat: 'builder', backend: 'claude', command: 'claude --print', prompt: 'p', output },
    ...{ exit_code: 0, failed: false, events_given: [] },
    events_written: parseEvents(output).map(({ topic }) => topic),
    promised: textOutsideEvents(output).trimEnd().split('\n').at(-1) === 'LOOP_COMPLETE',
    ...parts,
  };
}

/** A check with a status; by default one about an event. */
export function sampleCheck(status: CheckStatus, parts: Partial<CheckResult> = {}): CheckResult {
  return {
    name: 'event build.done',
    category: 'events',
    subject: { kind: 'event', topic: 'build.done', wanted: true },
    status,
    expected: 'build.done',
    actual: status === 'passed' ? 'builder: done' : 'only: task.start',
    evidence: [],
    ...parts,
  };
}

/** The section of a case. */
export function sampleCase(parts: Partial<CaseSection> = {}): CaseSection {
  return { id: 'hat-single', expected_iterations: 1, pressure_factors: [], quality_criteria: [], ...parts };
}

/** A result of a case; its id is `case@agent`. */
export function sampleEntry(
  id: string,
  status: 'passed' | 'failed' | 'skipped' | 'unjudged' | 'error',
  parts: Partial<EntryResult> = {},
): EntryResult {
  const [caseId = '', agent = 'claude'] = id.split('@');
  const ran = status !== 'skipped' && status !== 'error';
  return {
    ...{ id, kind: 'case', name: id, description: `The case ${id}`, tags: [], agent, stage: 'sim', round: 1, status },
    group: 'Tier 5: Hat Collections',
    ...{ steps: [], attempts: 1, duration_ms: 1500, rerun: `understudy e2e ${agent} --grep ${id}` },
    case: sampleCase({ id: caseId }),
    checks: ran ? [sampleCheck(status)] : [],
    baselines: [],
    ...(status === 'skipped' ? { reason: 'not signed in' } : {}),
    ...(status === 'error' ? { error: { code: 'INTERNAL', message: 'EACCES' } } : {}),
    ...(ran ? { context: sampleContext() } : {}),
    ...(status === 'failed' ? { diagnosis: sampleDiagnosis() } : {}),
    ...(status === 'passed' ? { quality: sampleQuality() } : {}),
    ...parts,
  };
}

export function sampleDiagnosis(): NonNullable<EntryResult['diagnosis']> {
  return {
    failure_type: 'EventMissing',
    root_cause_hypothesis: 'The event was never written.',
    evidence: ['no build.done among 2 events'],
    similar_failures: [],
    suggested_investigations: ['Read the events file.'],
    potential_fixes: [{ description: 'Name the event in the prompt.', confidence: 0.5 }],
    source: 'rules',
  };
}

function sampleQuality(): NonNullable<EntryResult['quality']> {
  return {
    quality_score: 'Good',
    metrics: {
      ...{ duration_ms: 1500, duration_expected_ms: 30_000, iterations_used: 1, iterations_expected: 1 },
      ...{ events_emitted: 2, tool_calls: 0, retries_needed: 0 },
    },
    warnings: [],
    optimizations: [],
    source: 'rules',
  };
}

/** A run with these entries. */
export function sampleRun(entries: readonly EntryResult[], parts: Partial<RunResult> = {}): RunResult {
  return {
    schema_version: 2,
    understudy_version: '0.1.0',
    command: 'e2e',
    started_at: '2026-01-20T14:30:00Z',
    duration_ms: 12_300,
    ...summarize(entries, 'case'),
    environment: { os: 'linux', node: 'v20', workspace: '.e2e-tests', env_vars: { ANTHROPIC_API_KEY: false } },
    agents: [{ agent: 'claude', version: '0.1.0', available: true, authenticated: true, detail: 'a stand-in' }],
    orchestrator: { kind: 'reference', version: '0.1.0', command: 'understudy loop' },
    entries: [...entries],
    ...parts,
  };
}
