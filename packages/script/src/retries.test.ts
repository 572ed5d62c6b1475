import { expect, it } from 'vitest';
import { retriesFor } from './retries.js';
import type { Failure } from './schema.js';

const pattern = { type: 'any' } as const;
const busy = (times?: number): Failure => ({ type: 'overloaded', ...(times === undefined ? {} : { times }) });

it('repeats a failed request once, or as often as the script fails before it answers', () => {
  expect(retriesFor({})).toBe(1);
  expect(retriesFor({ responses: [{ pattern, failure: busy() }] })).toBe(1);
  const turns = [{ expect: pattern, failure: busy(4), response: 'x' }];
  expect(retriesFor({ responses: [{ pattern, failure: busy(2), response: 'x', turns }] })).toBe(4);
});

it('counts faults, which may follow each other', () => {
  const faults = [{ request: 1, failure: busy() }, ...[2, 3].map((request) => ({ request, failure: busy() }))];
  expect(retriesFor({ faults })).toBe(3);
  expect(retriesFor({ faults, responses: [{ pattern, failure: busy(2), response: 'x' }] })).toBe(5);
});

it('leaves Claude Code its own ten where chance decides, and never asks for more', () => {
  expect(retriesFor({ faults: [{ chance: 0.1, failure: busy() }] })).toBe(10);
  expect(retriesFor({ responses: [{ pattern, failure: busy(99), response: 'x' }] })).toBe(10);
});
