import { expect, it } from 'vitest';
import { sampleInput } from './sample-input.js';

it('gives simple values for what is required, and nothing else', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer', minimum: 3 },
      unit: { enum: ['c', 'f'] },
      exact: { type: 'boolean' },
      names: { type: 'array', items: { type: 'string' }, minItems: 1 },
      where: { anyOf: [{ type: 'object', properties: { x: { type: 'number' } }, required: ['x'] }, { type: 'null' }] },
      page: { type: 'integer', default: 7 },
      more: { type: 'string' },
    },
    required: ['city', 'days', 'unit', 'exact', 'names', 'where', 'page'],
  };
  expect(sampleInput(schema)).toEqual({
    ...{ city: 'example', days: 3, unit: 'c', exact: false, names: ['example'], where: { x: 1 }, page: 7 },
  });
  expect(sampleInput(undefined)).toEqual({});
});
