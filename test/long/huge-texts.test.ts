import { expect, it } from 'vitest';
import { writeAgentReport } from '../../packages/verdict/src/reporters/agent.js';
import { writeComment } from '../../packages/verdict/src/reporters/comment.js';
import { createReporter } from '../../packages/verdict/src/reporters/create-reporter.js';
import { writeCtrf } from '../../packages/verdict/src/reporters/ctrf.js';
import { githubAnnotations, githubSummary } from '../../packages/verdict/src/reporters/github.js';
import { htmlPieces } from '../../packages/verdict/src/reporters/html/write-html.js';
import { writeJunit } from '../../packages/verdict/src/reporters/junit.js';
import { writeMarkdown } from '../../packages/verdict/src/reporters/markdown/write-markdown.js';
import { tracesOf } from '../../packages/verdict/src/reporters/otlp/spans.js';
import type { RunResult } from '../../packages/verdict/src/results/run-result.js';
import { HOSTILE, harmfulIn } from '../helpers/hostile-text.js';
import { failedRehearsal, rehearsalRun } from '../helpers/sample-runs.js';

/** A line of 50 MB, as a program without a newline writes it. */
const HUGE = `${HOSTILE}${'x'.repeat(50 * 1024 * 1024)}`;
const run = rehearsalRun([failedRehearsal(HUGE)]);
const LARGEST = 5_000_000;

function printed(name: 'list' | 'dot' | 'live'): string {
  let out = '';
  const reporter = createReporter([{ name }], {
    output: { columns: 120, write: (text: string) => (out += text) } as unknown as NodeJS.WriteStream,
    ...{ environment: {}, verbose: true, onUnwritten: () => {}, html: { write: () => '', file: '' } },
    ...{ sendTraces: async () => {}, onPending: () => {} },
  });
  reporter.start({ command: 'run', understudy_version: '1', entries: run.entries });
  for (const entry of run.entries) {
    reporter.begin(entry);
    reporter.step(entry, 1, 1, HUGE);
    reporter.end(entry, entry);
  }
  reporter.finish(run);
  return out;
}

it.each<[string, (run: RunResult) => string]>([
  ['junit', writeJunit],
  ['ctrf', writeCtrf],
  ['markdown', (one) => writeMarkdown(one, 'report.md')],
  ['agent', writeAgentReport],
  ['github', (one) => githubSummary(one) + githubAnnotations(one, '.')],
  ['comment', (one) => writeComment(one, rehearsalRun([]))],
  ['html', (one) => [...htmlPieces(one, undefined)].join('')],
  ['otlp', (one) => JSON.stringify(tracesOf(one, { eventsOf: () => [], withContent: true }))],
  ['list', () => printed('list')],
  ['dot', () => printed('dot')],
  ['live', () => printed('live')],
])('cuts a text of 50 MB: %s', { timeout: 600_000 }, (name, write) => {
  const text = write(run);
  expect(text.length).toBeLessThan(LARGEST);
  if (name !== 'dot' && name !== 'html') expect(text).toMatch(/more characters|…/);
  // The live area has control characters of its own, and the page a script; its data is packed.
  if (name !== 'live' && name !== 'html') expect(harmfulIn(text)).toEqual([]);
});
