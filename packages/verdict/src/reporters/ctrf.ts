import { cut, defined, visibleJson, withoutColors } from '@understudy/kit';
import type { EntryResult, EntryStatus } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { describeFailure } from './describe-result.js';
import { describeReason, failureLocation, failureSentence } from './failure-summary.js';

const SPEC_VERSION = '0.0.0';
const LONGEST_MESSAGE = 1_000;
const LONGEST_TRACE = 50_000;

/** CTRF knows five ends of a test; ours stands in `rawStatus`. What could not be judged has not passed. */
const STATUSES: Record<EntryStatus, 'passed' | 'failed' | 'skipped' | 'other'> = {
  passed: 'passed',
  flaky: 'passed',
  failed: 'failed',
  unjudged: 'failed',
  error: 'failed',
  skipped: 'skipped',
  expected_failure: 'other',
  interrupted: 'other',
};

/** The result in the Common Test Report Format (ctrf.io). */
export function writeCtrf(run: RunResult): string {
  const start = Date.parse(run.started_at) || 0;
  const tests = run.entries.map(testOf);
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const { isolation } = run;
  const [osPlatform = '', , osRelease = ''] = run.environment.os.split(' ');
  return `${visibleJson({
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: new Date(start + run.duration_ms).toISOString(),
    generatedBy: 'understudy',
    results: {
      tool: { name: 'understudy', version: run.understudy_version },
      summary: {
        ...{ tests: tests.length, passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
        ...{ pending: 0, other: count('other'), flaky: run.counts.flaky },
        ...{ start, stop: start + Math.round(run.duration_ms), duration: Math.round(run.duration_ms) },
        extra: { verdict: run.verdict, exit_code: run.exit_code },
      },
      tests,
      environment: { osPlatform, osRelease, ...(isolation === undefined ? {} : { extra: { isolation } }) },
    },
  })}\n`;
}

function testOf(entry: EntryResult) {
  const { name, status, duration_ms, group, file, tags, attempts, agent, model, stage, target, round } = entry;
  const isGreen = status === 'passed' || status === 'flaky';
  const line = isGreen ? undefined : failureLocation(entry)?.line;
  const isRedOne = !isGreen && status !== 'skipped';
  return defined({
    testId: cut(entry.id, LONGEST_MESSAGE) || undefined,
    name: cut(name, LONGEST_MESSAGE) || 'unnamed',
    status: STATUSES[status],
    rawStatus: status,
    duration: Math.round(duration_ms),
    suite: [group ?? file ?? entry.kind],
    filePath: file,
    line,
    message: isGreen ? undefined : cut(describeReason(entry) ?? failureSentence(entry), LONGEST_MESSAGE),
    trace: isRedOne ? cut(withoutColors(describeFailure(entry)).trim(), LONGEST_TRACE) : undefined,
    tags: tags.length > 0 ? tags.map((tag) => cut(tag, LONGEST_MESSAGE)) : undefined,
    labels: { agent, ...defined({ model }), stage, ...defined({ target }), round },
    retries: Math.max(0, attempts - 1),
    flaky: status === 'flaky',
    type: 'e2e',
    extra: { rerun: cut(entry.rerun, LONGEST_MESSAGE) },
  });
}
