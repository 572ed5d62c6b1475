import { expect, it } from 'vitest';
import { isUuid, seedIds, uuid } from './ids.js';

it('makes ids that are ids, and not the same twice', () => {
  const ids = Array.from({ length: 500 }, uuid);
  expect(ids.every(isUuid)).toBe(true);
  expect(new Set(ids).size).toBe(500);
});

it('makes the same ids again for the same seed', () => {
  const ids = (seed: string): string[] => {
    seedIds(seed);
    return Array.from({ length: 50 }, uuid);
  };
  const first = ids('a');
  expect(ids('a')).toEqual(first);
  expect(new Set([...first, ...ids('b')]).size).toBe(100);
});
