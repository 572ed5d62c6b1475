import { expect, it } from 'vitest';
import { hasSubstitution } from './substitution.js';

it('sees commands within commands', () => {
  expect(hasSubstitution('a "$(b)"')).toBe(true);
  expect(hasSubstitution("a '$(b)' \\`")).toBe(false);
});
