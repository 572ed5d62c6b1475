import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleContext, sampleReport, sampleResult } from '../../../test/helpers/suite-report.js';
import { backends } from '../../orchestrators/case.js';
import { failureTypes, type ReportedResult } from '../../results/schema.js';
import { readReport } from './read-markdown.js';
import { writeMarkdown } from './write-markdown.js';

const NASTY = [
  '\n```\n### ❌ `made-up` (Tier 1: Connectivity)\n',
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
  ...[
    '## 🔴 Failed tests',
    '### ❌ `x` (Tier 1: Connectivity)',
    '#### Assertions',
    '**Evidence:**',
    '- ',
    '---',
    '~~~',
  ],
  ...[
    '# Orchestrator suite report',
    '| a | ❌ | b | c | d |',
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

const assertion = fc.record({
  name: nasty,
  category: fc.constantFrom('ExitCode', 'OutputContains', 'Custom'),
  passed: fc.boolean(),
  expected: nasty,
  actual: nasty,
  diff: nasty,
  suggestion: nasty,
});

const fix = fc.record(
  {
    description: nasty,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    file_to_modify: nasty,
    suggested_change: nasty,
  },
  { requiredKeys: ['description', 'confidence'] },
);

const failure: fc.Arbitrary<ReportedResult> = fc
  .record({
    scenario_id: nasty,
    scenario_description: nasty,
    backend: fc.constantFrom(...backends),
    reason: nasty,
    assertions: fc.array(assertion, { maxLength: 3 }),
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
    pressure_factors: fc.array(fc.record({ name: nasty, description: nasty, why_pressure: nasty }), { maxLength: 1 }),
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
            {
              iteration: 1,
              hat: topic,
              backend: path,
              command: topic,
              prompt: path,
              output: texts.stdout,
              stderr: texts.stderr,
            },
          ],
          workspace_files: [{ path, content_preview: topic, size_bytes: 1 }],
        }),
      ),
  })
  .map((parts) => sampleResult('x@claude', 'failed', parts));

it('reads every failure back as it was written, whatever agents have said', () => {
  fc.assert(
    fc.property(fc.array(failure, { maxLength: 3 }), nasty, (results, words) => {
      const report = sampleReport([...results, sampleResult('fine@claude', 'passed')]);
      const markdown = writeMarkdown({ ...report, verdict: words }, 'report.md');
      expect(readReport(markdown).failures).toEqual(
        results.map(({ scenario_id: id, backend, assertions, diagnosis }) => ({
          id,
          backend,
          assertions: assertions
            .filter(({ passed }) => !passed)
            .map(({ name, category, expected, actual }) => ({ name, category, expected, actual })),
          failureType: diagnosis?.failure_type,
          hypothesis: diagnosis?.root_cause_hypothesis,
          evidence: diagnosis?.evidence,
          similarFailures: diagnosis?.similar_failures,
          investigations: diagnosis?.suggested_investigations,
          fixes: diagnosis?.potential_fixes,
        })),
      );
    }),
    { numRuns: 150 },
  );
});

it('knows the verdict, and a report without failures', () => {
  expect(readReport(writeMarkdown(sampleReport([sampleResult('a@claude', 'passed')]), 'r'))).toEqual({
    passed: true,
    failures: [],
  });
  expect(readReport(writeMarkdown(sampleReport([sampleResult('a@claude', 'failed')]), 'r'))).toMatchObject({
    passed: false,
    failures: [{ id: 'a@claude' }],
  });
});

it('refuses what is no report', () => {
  expect(() => readReport('# Something else\n')).toThrow(expect.objectContaining({ code: 'SUITE_NOT_A_REPORT' }));
});

it('says when a report is damaged', () => {
  const markdown = writeMarkdown(sampleReport([sampleResult('a@claude', 'failed')]), 'r');
  expect(() => readReport(markdown.replace('**Failure type:** EventMissing', '**Failure type:** Hunger'))).toThrow(
    expect.objectContaining({ code: 'SUITE_REPORT_DAMAGED' }),
  );
});
