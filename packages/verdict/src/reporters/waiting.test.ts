import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { summarize } from '../results/summarize.js';
import { listReporter } from './list.js';
import { tellWaiting } from './waiting.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const entry = (name: string, duration_ms = 1_000): EntryResult => ({
  ...{ id: name, kind: 'rehearsal', name, agent: 'claude', stage: 'sim', round: 1, status: 'passed' },
  ...{ tags: [], rerun: '', steps: [], checks: [], attempts: 1, duration_ms },
});

it('says what is waited for after each minute in which nothing was printed', () => {
  const lines: string[] = [];
  const print = (line: string) => lines.push(stripVTControlCharacters(line));
  const reporter = tellWaiting(listReporter(print), print);
  const [first, second] = [entry('first'), entry('second')];
  reporter.start({ command: 'run', understudy_version: '1', entries: [first, second] });
  reporter.begin(first);
  reporter.begin(second);
  reporter.step(first, 2, 3, 'hello\nthere');
  vi.advanceTimersByTime(59_000);
  expect(lines.join()).not.toContain('⋯');
  vi.advanceTimersByTime(1_000);
  expect(lines.splice(0).at(-1)).toBe('⋯ first 2/3 > hello there since 60.0 s and 1 more; 2 to go');
  reporter.end(first, first);
  vi.advanceTimersByTime(60_000);
  expect(lines.splice(0).at(-1)).toBe('⋯ second starts since 120.0 s; 1 to go');
  reporter.end(second, second);
  const entries = [first, second];
  reporter.finish({
    ...{ schema_version: 2, command: 'run', understudy_version: '1', started_at: '', duration_ms: 1 },
    ...{ ...summarize(entries, 'rehearsal'), environment: { os: '', node: '' }, entries },
  });
  lines.splice(0);
  vi.advanceTimersByTime(300_000);
  expect(lines).toEqual([]);
});

it('names the slowest of a long run', () => {
  const lines: string[] = [];
  const entries = [3, 9, 1, 7, 2].map((seconds) => entry(`takes ${seconds}`, seconds * 1_000));
  const run: Omit<RunResult, 'duration_ms'> = {
    ...{
      schema_version: 2 as const,
      command: 'run' as const,
      understudy_version: '1',
      started_at: '',
      environment: { os: '', node: '' },
    },
    ...{ ...summarize(entries, 'rehearsal'), entries },
  };
  listReporter((line) => lines.push(stripVTControlCharacters(line))).finish({ ...run, duration_ms: 31_000 });
  expect(lines).toContain('slowest: takes 9 9.0 s, takes 7 7.0 s, takes 3 3.0 s');
  listReporter((line) => lines.push(line)).finish({ ...run, duration_ms: 5_000 });
  expect(lines.filter((line) => line.includes('slowest'))).toHaveLength(1);
});
