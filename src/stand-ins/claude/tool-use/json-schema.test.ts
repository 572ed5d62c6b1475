import { expect, it } from 'vitest';
import { findSchemaProblem } from './json-schema.js';

it('finds what does not follow a schema', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string', enum: ['x'] }, list: { type: 'array', items: { type: 'integer' } } },
    required: ['a'],
    additionalProperties: false,
  };
  expect(findSchemaProblem(schema, { a: 'x', list: [1] })).toBeUndefined();
  expect(findSchemaProblem(schema, {})).toBe("root: must have required property 'a'");
  expect(findSchemaProblem(schema, { a: 'y' })).toContain('/a');
  expect(findSchemaProblem(schema, { a: 'x', list: [1.5] })).toContain('/list/0');
  expect(findSchemaProblem(schema, { a: 'x', b: 1 })).toContain('additional');
});
