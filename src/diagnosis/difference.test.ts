import { expect, it } from 'vitest';
import { sequenceDifference } from './difference.js';

it('shows where two sequences part', () => {
  expect(sequenceDifference('planner → builder → ralph', 'planner → ralph → ralph')).toBe(
    '  planner\n- builder\n  ralph\n+ ralph',
  );
  expect(sequenceDifference('a on kiro, b on claude', 'a on claude, b on claude')).toBe(
    '- a on kiro\n+ a on claude\n  b on claude',
  );
});

it('has nothing to show for what is no sequence, is equal, or is not there', () => {
  expect(sequenceDifference('0', '1')).toBeUndefined();
  expect(sequenceDifference('a → b', 'a → b')).toBeUndefined();
  expect(sequenceDifference('a → b', '')).toBeUndefined();
});
