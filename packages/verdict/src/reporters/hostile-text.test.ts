import { expect, it } from 'vitest';
import { HOSTILE, harmfulIn } from '../../../../test/helpers/hostile-text.js';
import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { summarize } from '../results/summarize.js';
import { writeJson } from './json.js';
import { liveReporter } from './live.js';

const subject = { kind: 'hook', event: HOSTILE };
const check = {
  name: HOSTILE,
  category: 'hooks',
  status: 'failed',
  subject,
  expected: HOSTILE,
  actual: HOSTILE,
} as const;
const checks = [{ ...check, evidence: [HOSTILE], suggestion: HOSTILE }];
const entry: EntryResult = {
  ...{ id: HOSTILE, kind: 'rehearsal', name: HOSTILE, agent: HOSTILE, stage: 'sim', round: 1, status: 'failed' },
  ...{ tags: [HOSTILE], rerun: HOSTILE, checks, attempts: 1, duration_ms: 1, artifacts: HOSTILE },
  steps: [{ number: 1, name: HOSTILE, send: HOSTILE, said: HOSTILE, reached: true, duration_ms: 1, checks }],
  error: { code: 'INTERNAL', message: HOSTILE, fix: HOSTILE },
} as unknown as EntryResult;
const start = { command: 'run', understudy_version: '1', entries: [{ ...entry, group: HOSTILE }] } as const;
const run: RunResult = {
  ...{ schema_version: 2, command: 'run', understudy_version: '1', started_at: '', duration_ms: 1, strict: true },
  ...{ ...summarize([entry], 'rehearsal'), environment: { os: '', node: '' }, entries: [entry] },
};

it('shows hostile text of a result as text, while it runs and at its end', () => {
  let written = '';
  const output = { columns: 4000, write: (text: string) => (written += text) } as unknown as NodeJS.WriteStream;
  const reporter = liveReporter(output, { verbose: true });
  const [announced = entry] = start.entries;
  reporter.start(start);
  reporter.begin(announced);
  reporter.step(announced, 1, 1, HOSTILE);
  reporter.end(announced, entry);
  reporter.finish(run);
  expect(written).toContain('\\u{1b}]52;c;');
  expect(harmfulIn(written)).toEqual([]);
});

it('writes hostile text of a result as JSON that no terminal obeys', () => {
  const written = writeJson(run);
  expect(harmfulIn(written)).toEqual([]);
  expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(run)));
});
