import { expect, it } from 'vitest';
import {
  sampleCase,
  sampleCheck,
  sampleContext,
  sampleEntry,
  sampleIteration,
  sampleRun,
} from '../../../test/helpers/sample-results.js';
import type { RunResult } from '../../results/run-result.js';
import { writeMarkdown } from './write-markdown.js';

/** What an agent might say to break a report. */
const NASTY = 'a | b\r\n## Made up\n</details>\n````\n# Again <script>\u001b[2J';

/** A run in which everything occurs, with the same words wherever a text may be untrusted. */
function run(words: string): RunResult {
  const context = sampleContext({
    ...{ config_yaml: words, prompt_content: words, stdout: words, stderr: words },
    ...{ scratchpad_before: words, scratchpad_after: words },
    events_emitted: [{ topic: words, payload: words, timestamp: 't' }],
    iterations: [sampleIteration({ hat: words, command: words, prompt: words, output: words })],
    workspace_files: [{ path: words, content_preview: words, size_bytes: 3 }],
  });
  const check = sampleCheck('failed', {
    name: words,
    expected: words,
    actual: words,
    evidence: [words],
    suggestion: words,
  });
  const step = { number: 1, send: words, reached: true, said: words, outcome: words, checks: [check], duration_ms: 1 };
  const good = sampleEntry('good@claude', 'passed', { context });
  const warning = { category: 'SlowExecution' as const, message: words, evidence: words };
  const optimization = { category: words, description: words, potential_improvement: words, suggested_change: words };
  const quality = good.quality && { ...good.quality, warnings: [warning], optimizations: [optimization] };
  const optimal = good.quality && { ...good.quality, quality_score: 'Optimal' as const };
  const { quality: _, ...ungraded } = sampleEntry('rehearsal claude sim', 'passed');
  const entries = [
    sampleEntry('bad@claude', 'failed', {
      ...{ context, checks: [check], steps: [step] },
      baselines: [
        { condition: words, expected_failure: words, why_it_matters: words, red: false, still_green: [words] },
      ],
      case: sampleCase({
        pressure_factors: [{ name: words, description: words, why_pressure: words }],
        quality_criteria: [{ name: words, optimal: words, acceptable: words, concerning: words }],
      }),
    }),
    { ...good, ...(quality === undefined ? {} : { quality }) },
    sampleEntry('best@claude', 'passed', optimal === undefined ? {} : { quality: optimal }),
    ungraded,
    sampleEntry('later@kiro', 'skipped', { reason: words }),
  ];
  return sampleRun(entries, {
    patterns: [{ description: words, affected_tests: [words], suggested_fix: words }],
    rationalizations: [{ test: 'bad@claude', rationalization: words, reality: words, action: words }],
    loopholes: [
      {
        ...{ title: words, pattern: words, evidence: [words], affected_tests: [], suggested_counter: words },
        new_test: words,
      },
    ],
    recommendations: [
      {
        ...{ severity: 'Critical', category: words, title: words, description: words, affected_tests: [words] },
        suggested_fix: words,
      },
      { severity: 'Info', category: 'x', title: 'y', description: 'z', affected_tests: [] },
    ],
    quick_fix_commands: [{ description: words, command: 'true' }],
    artifacts: [{ path: words, description: words }],
    analysis: { status: 'failed', detail: words, problems: [words] },
  });
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
  ...[
    '# Understudy report',
    '## 🔴 FAILED, 1 of 5 skipped',
    '## Summary',
    '### By group',
    '### By agent',
    '### Agents',
  ],
  ...['### Environment', '### Failures by type', '### Patterns', '## 🔴 Failed tests'],
  ...['### ❌ `bad@claude`', '#### Checks', '#### Baselines', '#### Steps', '#### Pressure'],
  ...['#### Quality criteria', '#### Context', '#### 🔍 Diagnosis', '## ✅ Passed tests', '### Summary by quality'],
  ...['### 🟡 `good@claude` (Good: could be a little better)', '#### Metrics', '#### ⚠️ Warnings'],
  ...['#### 💡 Optimizations', '### 🟢 Optimal tests (1)', '### Without a grade (1)'],
  ...['## ⏭️ Tests that did not run', '## 🔓 Loopholes'],
];
const ENDING = [
  ...['## 📋 Rationalizations', '## 📋 Recommendations', '### 🔴 Critical', '### ℹ️ Info'],
  ...['## 🔧 Quick fix commands', '## 🧠 Analysis by an agent', '## 📁 Artifacts', '## 🤖 For an agent'],
];

it('has all sections in order, and no others, whatever agents have said', () => {
  for (const [words, title] of [
    ['words', 'words'],
    [NASTY, 'a \\| b\\r\\n## Made up\\n\\</details>\\n\\`\\`\\`\\`\\n# Again \\<script>\\u{1b}\\[2J'],
  ] as const) {
    const lines = outsideFences(writeMarkdown(run(words), 'report.md'));
    expect(lines.filter((line) => /^#+ /.test(line))).toEqual([...SECTIONS, `### Loophole: ${title}`, ...ENDING]);
    const count = (wanted: string) => lines.filter((line) => line === wanted).length;
    expect(count('<details>')).toBe(count('</details>'));
    expect(count('<details>')).toBeGreaterThan(10);
    expect(lines.some((line) => line.includes('\u001b'))).toBe(false);
  }
});

it('has the whole context of a failed case', () => {
  const markdown = writeMarkdown(run('some words'), 'report.md');
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
  expect(markdown).toContain('🟢 did not fail, and must');
});

it('leaves out what there is nothing of, and tells an error of the harness with its fix', () => {
  const error = { code: 'AGENT_NOT_FOUND', message: 'there is no kiro', fix: 'Install it.' };
  const markdown = writeMarkdown(sampleRun([sampleEntry('a@claude', 'error', { error })]), 'report.md');
  expect(markdown).toContain('- **Error:** AGENT_NOT_FOUND: there is no kiro');
  expect(markdown).toContain('- **Fix:** Install it.');
  for (const title of ['#### Checks', '#### Context', '## 📋 Rationalizations']) expect(markdown).not.toContain(title);
});

it('gives the three verdicts', () => {
  const verdict = (exit_code: 0 | 1 | 2) => writeMarkdown(sampleRun([], { exit_code }), 'r').split('\n')[2];
  expect([verdict(0), verdict(1), verdict(2)]).toEqual(['## 🟢 PASSED', '## 🔴 FAILED', '## ⚪ NO VERDICT']);
});
