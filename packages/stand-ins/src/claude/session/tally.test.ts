import { expect, it } from 'vitest';
import { costOf, Tally } from './tally.js';

it('bills what was used, and goes on with what was kept', () => {
  const tokens = { input: 1_000_000, output: 100_000, cacheRead: 0, cacheCreation: 0 };
  expect(costOf('claude-opus-5-5', tokens)).toBeCloseTo(6);
  const tally = new Tally();
  tally.add('claude-opus-5-5', tokens);
  const restored = new Tally();
  restored.restore(JSON.parse(JSON.stringify(tally.toTranscript())));
  expect(restored.cost).toBeCloseTo(tally.cost);
});
