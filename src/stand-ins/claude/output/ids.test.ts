import { expect, it } from 'vitest';
import { isUuid, uuid } from './ids.js';

it('makes ids that are ids, and not the same twice', () => {
  const ids = Array.from({ length: 500 }, uuid);
  expect(ids.every(isUuid)).toBe(true);
  expect(new Set(ids).size).toBe(500);
});
