import { expect, it } from 'vitest';
import { expectOf } from './expect-turn.js';

it('judges what is expected of the start, whatever it is', () => {
  const start = { part: 'start', events: [], conversation: { events: [], turns: [] } };
  expect(expectOf(start, { says: 'ready' })).toMatchObject({ passed: false });
  expect(expectOf(start, { says_not: 'ready' })).toMatchObject({ passed: true });
});
