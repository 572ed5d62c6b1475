import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EntryResult } from '../results/entry-result.js';
import type { RunResult } from '../results/run-result.js';
import { summarize } from '../results/summarize.js';
import { liveReporter } from './live.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A terminal that keeps what is written to it. */
function terminal(columns: number) {
  const written: string[] = [];
  const output = { columns, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
  return { output, take: () => written.splice(0).join('') };
}

const passed: EntryResult = {
  ...{ id: 'a', kind: 'rehearsal', name: 'explore', agent: 'claude', stage: 'sim', round: 1, status: 'passed' },
  ...{ tags: [], rerun: '', steps: [], checks: [], attempts: 1, duration_ms: 1200 },
};
const start = { command: 'run', understudy_version: '1', entries: [passed, passed] } as const;
const run: RunResult = {
  ...{ schema_version: 2, command: 'run', understudy_version: '1', started_at: '', duration_ms: 1200 },
  ...{ ...summarize([passed], 'rehearsal'), environment: { os: '', node: '' }, entries: [passed] },
};

it('shows what runs, in which step and for how long, and clears it when it has ended', () => {
  const { output, take } = terminal(80);
  const reporter = liveReporter(output);
  reporter.start(start);
  reporter.begin(passed);
  reporter.step(passed, 2, 5, '/explore\nthe app');
  vi.advanceTimersByTime(1000);
  expect(stripVTControlCharacters(take())).toMatch(/⋯ explore 2\/5 > \/explore the app 1\.0 s\n0 of 2\n$/);
  reporter.end(passed, passed);
  const ended = take();
  expect(ended.startsWith('\u001B[2A\u001B[J')).toBe(true);
  expect(stripVTControlCharacters(ended)).toBe('✓ explore claude sim 1.2 s\n');
  reporter.finish(run);
  expect(stripVTControlCharacters(take())).toBe('\n1 passed in 1.2 s\n');
  vi.advanceTimersByTime(1000);
  expect(take()).toBe('');
});

it('keeps a line within the width of the terminal, which it could not clear otherwise', () => {
  const { output, take } = terminal(30);
  const reporter = liveReporter(output);
  reporter.start(start);
  reporter.begin(passed);
  reporter.step(passed, 1, 1, 'a very long prompt that does not fit into this terminal');
  vi.advanceTimersByTime(100);
  const lines = stripVTControlCharacters(take()).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(30);
});

it.each([
  // Sixteen cells before it; then six characters of two cells, and the mark.
  ['数据库层需要仔细检查一遍', '数据库层需要…'],
  ['abcdefghijk🎉lmnopq', 'abcdefghijk…'],
  ['abcdefghij🎉lmnopq', 'abcdefghij🎉…'],
])('counts the cells that a terminal needs: %s', (prompt, shown) => {
  const { output, take } = terminal(30);
  const reporter = liveReporter(output);
  reporter.start(start);
  reporter.begin(passed);
  reporter.step(passed, 1, 1, prompt);
  vi.advanceTimersByTime(100);
  const [, first] = stripVTControlCharacters(take()).split('\n');
  expect(first).toBe(`⋯ explore 1/1 > ${shown}`);
});

it('says how much is red, and how long the rest may take, once it can be told', () => {
  const { output, take } = terminal(80);
  const entries = Array.from({ length: 8 }, (_, index) => ({ ...passed, id: `${index}` }));
  const reporter = liveReporter(output);
  reporter.start({ ...start, entries });
  const end = (index: number, status: EntryResult['status'] = 'passed') => {
    const entry = entries[index] ?? passed;
    reporter.begin(entry);
    vi.advanceTimersByTime(10_000);
    reporter.end(entry, { ...entry, status });
    take();
    vi.advanceTimersByTime(100);
    return stripVTControlCharacters(take()).trim();
  };
  expect(end(0)).toBe('1 of 8');
  expect(end(1, 'failed')).toBe('2 of 8, 1 red');
  expect(end(2)).toBe('3 of 8, 1 red, about 55 s left');
  expect([end(3), end(4), end(5), end(6), end(7)].slice(-2)).toEqual([
    '7 of 8, 1 red, about 15 s left',
    '8 of 8, 1 red',
  ]);
});
