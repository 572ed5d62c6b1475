import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  sampleCase,
  sampleContext,
  sampleEntry,
  sampleIteration,
  sampleRun,
} from '../../../../../test/helpers/sample-results.js';
import type { CheckResult } from '../../checks/result.js';
import type { EntryResult } from '../../results/entry-result.js';
import { failureTypes } from '../../results/sections.js';
import { readReport } from './read-markdown.js';
import { writeMarkdown } from './write-markdown.js';

const NASTY = [
  '\n```\n### ❌ `made-up`\n',
  ...[
    '|',
    '\\|',
    '`',
    '````````',
    '<details>',
    '</details>',
    '</summary>',
    '\r\n',
    '\r',
    '\n\n',
    '\u0000',
    '\u001b[2J',
  ],
  ...['## 🔴 Failed tests', '### ❌ `x`', '#### Checks', '**Evidence:**', '- ', '---', '~~~'],
  ...[
    '# Understudy report',
    '| 1 | a | ❌ | b | c | d |',
    '\u2028',
    '\u202e',
    '\ud83d',
    '👩‍💻 ✅',
    '\\n',
    '*(empty)*',
    '  ',
  ],
];
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), {
    maxLength: 6,
  })
  .map((parts) => parts.join(''));
const nasties = fc.array(nasty, { maxLength: 3 });

const check: fc.Arbitrary<CheckResult> = fc.record({
  name: nasty,
  category: fc.constantFrom('exit_code' as const, 'output' as const, 'custom' as const),
  status: fc.constantFrom('passed' as const, 'failed' as const, 'unjudged' as const),
  subject: fc.constant({ kind: 'condition' as const }),
  expected: nasty,
  actual: nasty,
  evidence: nasties,
  suggestion: nasty,
});

const step = fc
  .record({
    send: nasty,
    said: nasty,
    outcome: nasty,
    checks: fc.array(check, { maxLength: 2 }),
    reached: fc.boolean(),
  })
  .map((parts) => ({ number: 1, duration_ms: 1, ...parts }));

const fix = fc.record(
  {
    description: nasty,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    file_to_modify: nasty,
    suggested_change: nasty,
  },
  { requiredKeys: ['description', 'confidence'] },
);

const failure: fc.Arbitrary<EntryResult> = fc
  .record({
    id: nasty,
    description: nasty,
    group: nasty,
    agent: nasty,
    reason: nasty,
    rerun: nasty,
    status: fc.constantFrom('failed' as const, 'unjudged' as const, 'error' as const),
    error: fc.record({ code: nasty, message: nasty, fix: nasty }),
    steps: fc.array(step, { maxLength: 2 }),
    checks: fc.array(check, { maxLength: 3 }),
    baselines: fc.array(
      fc.record({
        condition: nasty,
        expected_failure: nasty,
        why_it_matters: nasty,
        red: fc.boolean(),
        still_green: nasties,
      }),
      { maxLength: 2 },
    ),
    case: nasty.map((words) =>
      sampleCase({ pressure_factors: [{ name: words, description: words, why_pressure: words }] }),
    ),
    diagnosis: fc.record({
      failure_type: fc.constantFrom(...failureTypes),
      root_cause_hypothesis: nasty,
      evidence: nasties,
      similar_failures: nasties,
      suggested_investigations: nasties,
      potential_fixes: fc.array(fix, { maxLength: 2 }),
      source: fc.constantFrom('rules' as const, 'agent' as const),
    }),
    context: fc
      .record({
        stdout: nasty,
        stderr: nasty,
        prompt_content: nasty,
        scratchpad_after: nasty,
        config_yaml: nasty,
        topic: nasty,
        path: nasty,
      })
      .map(({ topic, path, ...texts }) =>
        sampleContext({
          ...texts,
          events_emitted: [{ topic, payload: topic, timestamp: 't' }],
          iterations: [
            sampleIteration({
              ...{
                hat: topic,
                backend: path,
                command: topic,
                prompt: path,
                output: texts.stdout,
                stderr: texts.stderr,
              },
            }),
          ],
          workspace_files: [{ path, content_preview: topic, size_bytes: 1 }],
        }),
      ),
  })
  .map((parts) => sampleEntry('x@claude', 'failed', parts));

it('reads every failure back as it was written, whatever agents have said', () => {
  fc.assert(
    fc.property(fc.array(failure, { maxLength: 3 }), nasty, (entries, words) => {
      const run = sampleRun([...entries, sampleEntry('fine@claude', 'passed')], { verdict: words });
      expect(readReport(writeMarkdown(run, 'report.md')).failures).toEqual(entries.map(asRead));
    }),
    { numRuns: 150 },
  );
});

/** An entry as it is read back. */
function asRead({ id, agent, steps, checks, diagnosis }: EntryResult) {
  const placed = [
    ...steps.flatMap((one) => one.checks.map((own) => ({ step: String(one.number), own }))),
    ...checks.map((own) => ({ step: '-', own })),
  ];
  return {
    id,
    agent,
    checks: placed
      .filter(({ own }) => own.status !== 'passed')
      .map(({ step: number, own: { name, status, category, expected, actual } }) => ({
        ...{ step: number, name, status, category, expected, actual },
      })),
    failureType: diagnosis?.failure_type,
    hypothesis: diagnosis?.root_cause_hypothesis,
    // The failed checks are in the table.
    evidence: diagnosis?.evidence.filter(
      (piece) => !placed.some(({ own }) => piece.startsWith(`${own.name}: expected `)),
    ),
    similarFailures: diagnosis?.similar_failures,
    investigations: diagnosis?.suggested_investigations,
    fixes: diagnosis?.potential_fixes,
  };
}

it('knows the verdict, and a report without failures', () => {
  expect(readReport(writeMarkdown(sampleRun([sampleEntry('a@claude', 'passed')]), 'r'))).toEqual({
    passed: true,
    failures: [],
  });
  expect(readReport(writeMarkdown(sampleRun([sampleEntry('a@claude', 'failed')]), 'r'))).toMatchObject({
    passed: false,
    failures: [{ id: 'a@claude' }],
  });
});

it('refuses what is no report', () => {
  expect(() => readReport('# Something else\n')).toThrow(expect.objectContaining({ code: 'SUITE_NOT_A_REPORT' }));
});

it('says when a report is damaged', () => {
  const markdown = writeMarkdown(sampleRun([sampleEntry('a@claude', 'failed')]), 'r');
  expect(() => readReport(markdown.replace('**Failure type:** EventMissing', '**Failure type:** Hunger'))).toThrow(
    expect.objectContaining({ code: 'SUITE_REPORT_DAMAGED' }),
  );
});
