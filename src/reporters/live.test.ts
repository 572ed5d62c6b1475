import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Entry } from '../rehearsal/entry.js';
import { type RehearsalResult, summarise } from '../rehearsal/result.js';
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

const rehearsal = {
  ...{ file: 'a.rehearsal.toml', name: 'explore', document: { steps: [] }, warnings: [] },
  scenario: { document: {}, warnings: [] },
};
const entry: Entry = { rehearsal, agent: 'claude', stage: 'sim', round: 1 };
const passed: RehearsalResult = {
  ...{ file: 'a.rehearsal.toml', name: 'explore', agent: 'claude', stage: 'sim', round: 1, status: 'passed' },
  ...{ steps: [], checks: [], attempts: 1, milliseconds: 1200 },
};

it('shows what runs, in which step and for how long, and clears it when it has ended', () => {
  const { output, take } = terminal(80);
  const reporter = liveReporter(output);
  reporter.start([entry, entry]);
  reporter.begin(entry);
  reporter.step(entry, 2, 5, '/explore\nthe app');
  vi.advanceTimersByTime(1000);
  expect(stripVTControlCharacters(take())).toMatch(/⋯ explore 2\/5 > \/explore the app 1\.0 s\n0 of 2\n$/);
  reporter.end(entry, passed);
  const ended = take();
  expect(ended.startsWith('\u001B[2A\u001B[J')).toBe(true);
  expect(stripVTControlCharacters(ended)).toBe('✓ explore claude sim 1.2 s\n');
  reporter.finish(summarise([passed], 1200));
  expect(stripVTControlCharacters(take())).toBe('\n1 passed in 1.2 s\n');
  vi.advanceTimersByTime(1000);
  expect(take()).toBe('');
});

it('keeps a line within the width of the terminal, which it could not clear otherwise', () => {
  const { output, take } = terminal(30);
  const reporter = liveReporter(output);
  reporter.start([entry]);
  reporter.begin(entry);
  reporter.step(entry, 1, 1, 'a very long prompt that does not fit into this terminal');
  vi.advanceTimersByTime(100);
  const lines = stripVTControlCharacters(take()).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(30);
});
