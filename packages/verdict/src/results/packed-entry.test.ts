import { expect, it } from 'vitest';
import type { EntryResult } from './entry-result.js';
import { jsonPieces } from './json-pieces.js';
import { packEntry } from './packed-entry.js';
import type { RunResult } from './run-result.js';

const check = { name: 'says', status: 'passed', expected: 'hello ✓', actual: 'hello ✓' };
const entry = {
  id: 'a',
  status: 'passed',
  steps: [{ prompt: 'hi', checks: [check] }],
  checks: [],
  duration_ms: 3,
} as unknown as EntryResult;

it('keeps an entry as it is, to its text', () => {
  const packed = packEntry(entry);
  expect(packed).toEqual(entry);
  expect(JSON.stringify(packed)).toBe(JSON.stringify(entry));
  expect({ ...packed, id: 'b' }).toEqual({ ...entry, id: 'b' });
  expect(packed.steps).not.toBe(packed.steps);
});

it.each([{ entries: [] }, { entries: [entry] }, { entries: [entry, packEntry(entry)] }])(
  'writes a run in pieces that are its JSON: %#',
  (part) => {
    const run = { schema_version: 2, shard: undefined, ...part, patterns: ['x'] } as unknown as RunResult;
    expect([...jsonPieces(run)].join('')).toBe(`${JSON.stringify(run)}\n`);
  },
);
