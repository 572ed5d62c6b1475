import { expect, it } from 'vitest';
import { judgeTurn } from './judge-turn.js';

it('judges what is expected of the start, whatever it is', () => {
  const start = { part: 'start', events: [], conversation: { events: [], turns: [] } };
  expect(judgeTurn(start, { says: 'ready' })).toMatchObject({ passed: false });
  expect(judgeTurn(start, { says_not: 'ready' })).toMatchObject({ passed: true });
});
