import { defined } from '@understudy/kit';
import { expect, it } from 'vitest';
import {
  sampleCase,
  sampleCheck,
  sampleContext,
  sampleEntry,
  sampleIteration,
  sampleRun,
} from '../../../../../test/helpers/sample-results.js';
import type { RunResult } from '../../results/run-result.js';
import { contextFiles } from './context-file.js';
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
    subject: { kind: 'prompt', iteration: 1, words: 'something else', wanted: true },
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
    { ...good, ...defined({ quality }) },
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
  ...['# Understudy report', '## 🔴 FAILED, 1 of 5 skipped'],
  ...['## 📋 Recommendations', '### 🔴 Critical', '### ℹ️ Info', '## 🤖 For an agent', '## 🔴 Failed tests'],
  ...['### ❌ `bad@claude`', '#### Checks', '#### First call that departs', '#### Baselines', '#### Steps'],
  ...['#### 🔍 Diagnosis', '## Summary', '### By group', '### By agent', '### Agents', '### Environment'],
  ...['### Failures by type', '### Patterns', '## ⏭️ Tests that did not run', '## 🔓 Loopholes'],
];
const ENDING = [
  ...['## 📋 Rationalizations', '## ✅ Passed tests', '### Summary by quality'],
  ...['### 🟡 `good@claude` (Good: could be a little better)', '#### Metrics', '#### ⚠️ Warnings'],
  ...['#### 💡 Optimizations', '### 🟢 Optimal tests (1)', '### Without a grade (1)'],
  ...['## 🔧 Quick fix commands', '## 🧠 Analysis by an agent', '## 📁 Artifacts'],
];
/** Those of the file beside it. */
const CONTEXT_SECTIONS = [
  ...['# Context of `bad@claude`', '## All checks', '#### Baselines', '#### Pressure', '#### Quality criteria'],
  '## What was observed',
];

it('has all sections in order, and no others, whatever agents have said', () => {
  for (const [words, title] of [
    ['words', 'words'],
    [NASTY, 'a \\| b\\r\\n## Made up\\n\\</details>\\n\\`\\`\\`\\`\\n# Again \\<script>\\u{1b}\\[2J'],
  ] as const) {
    const lines = outsideFences(writeMarkdown(run(words), 'report.md'));
    expect(lines.filter((line) => /^#+ /.test(line))).toEqual([...SECTIONS, `### Loophole: ${title}`, ...ENDING]);
    const [context] = contextFiles(run(words), 'report.md').map(({ text }) => outsideFences(text));
    expect(context?.filter((line) => /^#+ /.test(line))).toEqual(CONTEXT_SECTIONS);
    for (const own of [lines, context ?? []]) {
      const count = (wanted: string) => own.filter((line) => line === wanted).length;
      expect(count('<details>')).toBe(count('</details>'));
      expect(own.some((line) => line.includes('\u001b'))).toBe(false);
    }
  }
});

it('has the whole context of a failed case in a file beside it', () => {
  const report = writeMarkdown(run('some words'), 'some/report.md');
  expect(report).toContain('(report-contexts/bad@claude.md)');
  expect(report).not.toContain('Prompt sent:');
  const [{ file, text: markdown } = { file: '', text: '' }, other] = contextFiles(run('some words'), 'some/report.md');
  expect([file, other?.file]).toEqual(['some/report-contexts/bad@claude.md', 'some/report-contexts/good@claude.md']);
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

const LONG_PROMPT = Array.from({ length: 400 }, (_, line) => `${line}. Some rule of the orchestrator.`).join('\n');

/** A failure with prompts of 18 kB, three iterations and eight failed checks on them. */
function longFailure(number: number) {
  const iterations = [1, 2, 3].map((iteration) =>
    sampleIteration({
      iteration,
      prompt: `${LONG_PROMPT}\n## PENDING EVENTS\n\nEvent: step.${iteration}\n\n${LONG_PROMPT}`,
      output: LONG_PROMPT,
    }),
  );
  const checks = [1, 2, 3, 4, 5, 6, 7, 8].map((index) => {
    const iteration = (index % 3) + 1;
    const words = `Event: step.${iteration + 1} of ${index}`;
    return sampleCheck('failed', {
      name: `prompt ${iteration} has "${words}"`,
      subject: { kind: 'prompt', iteration, words, wanted: true },
      expected: `contains "${words}"`,
      actual: LONG_PROMPT.slice(0, 300),
    });
  });
  const context = sampleContext({ iterations, stdout: LONG_PROMPT, stderr: LONG_PROMPT });
  return sampleEntry(`long-${number}@claude`, 'failed', { checks, context });
}

it('stays short: ten failures with long prompts are less than 40 kB, and each prompt is whole once', () => {
  const entries = Array.from({ length: 10 }, (_, index) => longFailure(index));
  const similar = entries.map(({ id }) => id);
  const failed = entries.map((entry) => ({
    ...entry,
    diagnosis: entry.diagnosis && { ...entry.diagnosis, similar_failures: similar },
  }));
  const long = sampleRun([...failed, sampleEntry('good@claude', 'passed')]);
  const report = writeMarkdown(long, 'report.md');
  expect(Buffer.byteLength(report)).toBeLessThan(40_000);
  // The first call that departs, and the text there.
  expect(report).toContain('Call 1 (hat `builder`, backend `claude`, exit code 0)');
  expect(report).toMatch(/## PENDING EVENTS\n\nEvent: step\.1\n/);
  const [{ text } = { text: '' }] = contextFiles(long, 'report.md');
  expect(text.split('Prompt sent:')).toHaveLength(2);
  expect(text).toContain('-Event: step.1\n+Event: step.2\n');
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
