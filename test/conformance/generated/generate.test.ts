import { expect, it } from 'vitest';
import { generateParts } from './generate.js';
import { minimise } from './minimise.js';
import { compose, type Part } from './parts.js';

it('makes the same invocation of the same seed and number, and others of others', () => {
  const made = (seed: number, index: number): string => JSON.stringify(compose('x', generateParts(seed, index)));
  expect(made(1, 2)).toBe(made(1, 2));
  expect(new Set(Array.from({ length: 200 }, (_, index) => made(1, index))).size).toBeGreaterThan(190);
  expect(made(1, 2)).not.toBe(made(2, 2));
});

it('leaves out what a difference does not need', async () => {
  const parts: Part[] = [{ stream: true }, { prompt: 'hi' }, { args: ['--a'] }, { args: ['--b'] }];
  const compare = async (some: readonly Part[]): Promise<string[]> =>
    some.some(({ args }) => args?.[0] === '--b') ? ['exit code: 0 became 1'] : [];
  expect(await minimise(parts, ['exit code: 0 became 1'], compare)).toEqual({
    parts: [{ args: ['--b'] }],
    differences: ['exit code: 0 became 1'],
  });
});
