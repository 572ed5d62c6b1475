import { expect, it } from 'vitest';
import { countOf } from './count-of.js';

it('says one thing in the singular, and none or many in the plural', () => {
  expect([0, 1, 2].map((number) => countOf(number, 'call'))).toEqual(['0 calls', '1 call', '2 calls']);
  expect([1, 2].map((number) => countOf(number, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
});
