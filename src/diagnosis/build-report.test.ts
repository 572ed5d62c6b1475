import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { sampleContext } from '../../test/helpers/suite-report.js';
import type { SuiteCase } from '../orchestrators/case.js';
import type { CaseResult } from '../orchestrators/run-case.js';
import { readReport } from '../reporters/markdown/read-markdown.js';
import { writeMarkdown } from '../reporters/markdown/write-markdown.js';
import { reportSchema } from '../results/schema.js';
import { buildReport, type ReportInput } from './build-report.js';

const SECRET = 'sk-ant-api03-do-not-tell-anybody';

const suiteCase: SuiteCase = {
  id: 'hat-single',
  description: 'One hat does its work',
  tier: 'Hat Collections',
  backends: ['claude'],
  setup: () => ({ config: {}, prompt: '', scenario: { responses: [] } }),
  check: () => [],
  baselines: [],
  expectedIterations: 1,
  pressure: [{ name: 'time', description: 'two iterations', whyPressure: 'it may rush' }],
  quality: [{ name: 'speed', optimal: 'one', acceptable: 'two', concerning: 'three' }],
};

const iteration = { iteration: 1, hat: 'h', backend: 'claude', command: 'c', prompt: 'p', output: 'o', exit_code: 0 };

const result = (status: CaseResult['status'], more: Partial<CaseResult> = {}): CaseResult => ({
  ...{ id: 'hat-single@claude', case: suiteCase, backend: 'claude', status, milliseconds: 1500 },
  assertions: [],
  baselines: [],
  ...(status === 'skipped' ? { reason: 'not signed in' } : { context: sampleContext({ iterations: [iteration] }) }),
  ...more,
});

const FAILED: Partial<CaseResult> = {
  assertions: [
    { name: 'hats a → b', category: 'Custom', passed: false, expected: 'a → b', actual: 'a → a' },
    { name: 'exit code 0', category: 'ExitCode', passed: true, expected: '0', actual: '0' },
  ],
};

const counted = (results: CaseResult[], exitCode: 0 | 1 | 2): ReportInput['suite'] => {
  const of = (status: CaseResult['status']) => results.filter((entry) => entry.status === status).length;
  return {
    results,
    backends: [{ backend: 'claude', version: '2.1.0', available: true, authenticated: true, detail: 'a stand-in' }],
    ...{ passed: of('passed'), failed: of('failed'), skipped: of('skipped'), exitCode, milliseconds: 61_000 },
  };
};

const built = (results: CaseResult[], exitCode: 0 | 1 | 2, more: Partial<ReportInput> = {}) =>
  buildReport({
    suite: counted(results, exitCode),
    orchestrator: { kind: 'ralph', command: ['/opt/ralph'], version: '2.10.1' },
    stage: 'sim',
    understudyVersion: '0.1.0',
    workspaceRoot: '/work/.e2e-tests',
    keepWorkspaces: false,
    now: new Date('2026-01-20T14:30:00Z'),
    environment: { ANTHROPIC_API_KEY: SECRET, OPENAI_API_KEY: '' },
    os: 'linux',
    node: 'v20',
    ...more,
  });

it('is a report by its own schema, whatever the results', () => {
  for (const report of [
    built([result('passed'), result('failed', FAILED), result('skipped')], 1),
    built([result('failed', { harnessError: true, reason: 'EACCES', context: undefined as never })], 2),
    built([], 2),
  ]) {
    const whole: unknown = JSON.parse(JSON.stringify(report));
    expect(z.parse(reportSchema, whole)).toEqual(whole);
  }
});

it('judges what passed and diagnoses what failed, and neither of what was skipped', () => {
  const { results, summary } = built([result('passed'), result('failed', FAILED), result('skipped')], 1);
  expect(results.map((entry) => [entry.analysis?.quality_score, entry.diagnosis?.failure_type])).toEqual([
    ['Optimal', undefined],
    [undefined, 'AssertionMismatch'],
    [undefined, undefined],
  ]);
  expect(summary).toEqual({
    ...{ total: 3, passed: 1, failed: 1, skipped: 1 },
    by_tier: { 'Hat Collections': { total: 3, passed: 1, failed: 1, skipped: 1 } },
    by_backend: { claude: { total: 3, passed: 1, failed: 1, skipped: 1 } },
    failures_by_category: { AssertionMismatch: 1 },
    quality_breakdown: { optimal: 1, good: 0, acceptable: 0, suboptimal: 0 },
  });
  expect(results[1]?.assertions[0]?.diff).toBe('  a\n- b\n+ a');
});

it('gives its verdict', () => {
  const verdict = (results: CaseResult[], exitCode: 0 | 1 | 2) => {
    const { passed, verdict: said } = built(results, exitCode);
    return [passed, said];
  };
  expect(verdict([result('passed')], 0)).toEqual([true, 'all cases passed']);
  expect(verdict([result('passed'), result('skipped')], 0)).toEqual([
    true,
    'all cases that could run passed; 1 case skipped',
  ]);
  expect(verdict([result('failed', FAILED), result('failed', FAILED)], 1)).toEqual([
    false,
    '2 cases failed: something must be done',
  ]);
  expect(verdict([result('skipped')], 2)).toEqual([false, 'no case was run: there is no verdict']);
  expect(verdict([result('passed'), result('failed', { harnessError: true })], 2)).toEqual([
    false,
    '1 case could not be run by the harness: there is no verdict',
  ]);
});

it('says of variables whether they are set, and never what they hold', () => {
  const { environment } = built([result('passed')], 0);
  expect(environment.env_vars).toMatchObject({ ANTHROPIC_API_KEY: true, OPENAI_API_KEY: false, KIRO_API_KEY: false });
});

it('has no secret anywhere, not even half of one', () => {
  const words = `key ${SECRET}. `;
  const long = `${words}${'x'.repeat(130)}${SECRET}${'y'.repeat(400)}${SECRET}`;
  const leaking = result('failed', {
    reason: words,
    assertions: [{ name: words, category: 'Custom', passed: false, expected: words, actual: long, suggestion: words }],
    baselines: [
      { condition: words, expectedFailure: words, whyItMatters: words, red: false, green: [words], assertions: [] },
    ],
    context: sampleContext({
      ...{ config_yaml: words, prompt_content: words, command_line: words, stdout: long, stderr: long },
      scratchpad_after: words,
      events_emitted: [{ topic: words, payload: long, timestamp: 't', source_hat: words }],
      iterations: [{ ...iteration, prompt: words, output: `${long} It should work.`, stderr: long, command: words }],
      workspace_files: [{ path: words, content_preview: words, size_bytes: 1 }],
    }),
  });
  // Only its variable betrays this one, and the quotation of the output is cut in the middle of it.
  const token = 'opensesame-opensesame';
  const cut = result('failed', {
    assertions: [{ name: 'event x', category: 'EventEmitted', passed: false, expected: 'x', actual: 'none' }],
    context: sampleContext({
      iterations: [{ ...iteration, output: `${'x'.repeat(140)}${token}${'y'.repeat(400)}${token}` }],
    }),
  });
  const report = built([leaking, cut], 1, { environment: { ANTHROPIC_API_KEY: SECRET, MY_TOKEN: token } });
  const text = JSON.stringify(report) + writeMarkdown(report, 'report.md');
  expect(text).toContain('[secret]');
  expect(text).not.toContain('do-not-tell');
  expect(text).not.toContain('anybody');
  expect(text).not.toContain('opensesame');
});

it('lists the workspaces that are still there', () => {
  const results = [result('passed'), result('failed', FAILED), result('skipped')];
  expect(built(results, 1).artifacts).toEqual([
    { path: '/work/.e2e-tests/hat-single@claude', description: 'workspace of hat-single@claude (failed)' },
  ]);
  expect(built(results, 1, { keepWorkspaces: true }).artifacts).toHaveLength(2);
});

it('is the same for the same input', () => {
  const report = () => built([result('failed', FAILED)], 1);
  expect(report()).toEqual(report());
  const { failures } = readReport(writeMarkdown(report(), 'report.md'));
  expect(failures).toMatchObject([{ id: 'hat-single@claude', assertions: [{ name: 'hats a → b', actual: 'a → a' }] }]);
});
