import { expect, it } from 'vitest';
import { isKnownModel, resolveModel } from './models.js';

it('knows the short names of models', () => {
  expect(resolveModel('opus')).toBe('claude-opus-5-5');
  expect(resolveModel('sonnet[1m]')).toBe('claude-sonnet-5-5');
  expect(resolveModel('my-model')).toBe('my-model');
});

it.each([
  ['claude-opus-5-5', true],
  ['claude-3-5-sonnet-20241022', true],
  ['claude-sonnet-5', true],
  ['claude-opus-9-9', false],
  ['claude-foo', false],
  ['gpt-4', false],
  ['', false],
])('has heard of the model "%s": %s', (id, known) => {
  expect(isKnownModel(id)).toBe(known);
});
