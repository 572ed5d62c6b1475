import { expect, it } from 'vitest';
import { sampleContext, sampleReport, sampleResult } from '../../../test/helpers/suite-report.js';
import type { SuiteReport } from '../../results/schema.js';
import { writeMarkdown } from './write-markdown.js';

/** What an agent might say to break a report. */
const NASTY = 'a | b\r\n## Made up\n</details>\n````\n# Again <script>\u001b[2J';

/** A report in which everything occurs, with the same words wherever others may have written them. */
function report(words: string): SuiteReport {
  const iteration = { iteration: 1, hat: words, backend: 'claude', command: words, prompt: words, output: words };
  const context = sampleContext({
    ...{ config_yaml: words, prompt_content: words, stdout: words, stderr: words },
    ...{ scratchpad_before: words, scratchpad_after: words },
    events_emitted: [{ topic: words, payload: words, timestamp: 't' }],
    iterations: [iteration],
    workspace_files: [{ path: words, content_preview: words, size_bytes: 3 }],
  });
  const good = sampleResult('good@claude', 'passed', { context });
  const warning = { category: 'SlowExecution' as const, message: words, evidence: words };
  const optimization = { category: words, description: words, potential_improvement: words, suggested_change: words };
  const analysis = good.analysis && { ...good.analysis, warnings: [warning], optimizations: [optimization] };
  const optimal = good.analysis && { ...good.analysis, quality_score: 'Optimal' as const };
  return {
    ...sampleReport([
      sampleResult('bad@claude', 'failed', {
        context,
        assertions: [{ name: words, category: 'Custom', passed: false, expected: words, actual: words, diff: words }],
        baselines: [
          { condition: words, expected_failure: words, why_it_matters: words, red: false, still_green: [words] },
        ],
        pressure_factors: [{ name: words, description: words, why_pressure: words }],
        quality_criteria: [{ name: words, optimal: words, acceptable: words, concerning: words }],
      }),
      { ...good, ...(analysis === undefined ? {} : { analysis }) },
      sampleResult('best@claude', 'passed', optimal === undefined ? {} : { analysis: optimal }),
      sampleResult('later@kiro', 'skipped', { reason: words }),
    ]),
    patterns: [{ description: words, affected_tests: [words], suggested_fix: words }],
    rationalizations: [{ test: 'bad@claude', rationalization: words, reality: words, action: words }],
    loopholes: [{ title: words, pattern: words, evidence: [words], suggested_counter: words, new_test: words }],
    recommendations: [
      {
        severity: 'Critical',
        category: words,
        title: words,
        description: words,
        affected_tests: [words],
        suggested_fix: words,
      },
      { severity: 'Info', category: 'x', title: 'y', description: 'z', affected_tests: [] },
    ],
    quick_fix_commands: [{ description: words, command: 'true' }],
    artifacts: [{ path: words, description: words }],
    meta_analysis: { status: 'failed', detail: words, problems: [words] },
  };
}

/** The lines of a document that are not inside a fence. */
function outsideFences(markdown: string): string[] {
  let open: string | undefined;
  return markdown.split(/\r\n|\n|\r/).filter((line) => {
    const ticks = /^(`{3,})[^`]*$/.exec(line)?.[1];
    if (open === undefined) open = ticks;
    else if (line === open) open = undefined;
    return open === undefined && ticks === undefined;
  });
}

const SECTIONS = [
  ...['# Orchestrator suite report', '## 🔴 FAILED', '## Summary', '### By tier', '### By backend', '### Backends'],
  ...['### Environment', '### Failures by category', '### Patterns', '## 🔴 Failed tests'],
  ...['### ❌ `bad@claude` (Tier 5: Hat Collections)', '#### Assertions', '#### Baselines', '#### Pressure'],
  ...['#### Quality criteria', '#### Context', '#### 🔍 Diagnosis', '## ✅ Passed tests', '### Summary by quality'],
  ...[
    '### 🟡 `good@claude` (Good: could be a little better)',
    '#### Metrics',
    '#### ⚠️ Warnings',
    '#### 💡 Optimizations',
  ],
  ...['### 🟢 Optimal tests (1)', '## ⏭️ Skipped tests', '## 🔓 Loopholes'],
];
const ENDING = [
  ...['## 📋 Rationalization analysis', '## 📋 Recommendations', '### 🔴 Critical', '### ℹ️ Info'],
  ...['## 🔧 Quick fix commands', '## 🧠 Analysis by an agent', '## 📁 Artifacts', '## 🤖 For an agent'],
];

it('has all sections in order, and no others, whatever agents have said', () => {
  for (const [words, title] of [
    ['words', 'words'],
    [NASTY, 'a \\| b\\r\\n## Made up\\n\\</details>\\n\\`\\`\\`\\`\\n# Again \\<script>\\u{1b}\\[2J'],
  ] as const) {
    const lines = outsideFences(writeMarkdown(report(words), 'report.md'));
    expect(lines.filter((line) => /^#+ /.test(line))).toEqual([...SECTIONS, `### Loophole: ${title}`, ...ENDING]);
    const count = (wanted: string) => lines.filter((line) => line === wanted).length;
    expect(count('<details>')).toBe(count('</details>'));
    expect(count('<details>')).toBeGreaterThan(10);
    expect(lines.some((line) => line.includes('\u001b'))).toBe(false);
  }
});

it('has the whole context of a failed case', () => {
  const markdown = writeMarkdown(report('some words'), 'report.md');
  for (const part of [
    ...[
      'Configuration (ralph.yml)',
      'Prompt (PROMPT.md)',
      'Command line',
      'Iteration 1',
      'Standard output of the orchestrator',
    ],
    ...['Standard error of the orchestrator', 'Scratchpad before', 'Scratchpad after', 'Events (1)', 'Files (1)'],
  ])
    expect(markdown).toContain(part);
  expect(markdown).toContain('Prompt sent:\n\n```markdown\nsome words\n```');
  expect(markdown).toContain('🟢 passed, and must not');
});

it('says so where there is nothing', () => {
  const bare = sampleResult('a@claude', 'failed', { harness_error: true, reason: 'EACCES' });
  const { context: _context, diagnosis: _diagnosis, ...unseen } = { ...bare, assertions: [] };
  const markdown = writeMarkdown(sampleReport([unseen]), 'report.md');
  expect(markdown).toContain('There is no context: the case was not run.');
  expect(markdown).toContain('- **Reason:** EACCES');
  expect(markdown).toContain('No agent was caught with an excuse.');
  expect(markdown).not.toContain('#### Assertions');
});

it('gives the three verdicts', () => {
  const verdict = (exit_code: 0 | 1 | 2) => writeMarkdown({ ...sampleReport([]), exit_code }, 'r').split('\n')[2];
  expect([verdict(0), verdict(1), verdict(2)]).toEqual(['## 🟢 PASSED', '## 🔴 FAILED', '## ⚪ NO VERDICT']);
});
