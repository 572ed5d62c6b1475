import { expect, it } from 'vitest';
import { compileValueSchema } from './value-schema.js';

const EVIL = '^(a+)+$';
const VICTIM = `${'a'.repeat(50_000)}!`;

it('finds what does not follow a schema', () => {
  const check = compileValueSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { a: { type: 'string', enum: ['x'] }, list: { type: 'array', items: { $ref: '#/$defs/whole' } } },
    required: ['a'],
    additionalProperties: false,
    $defs: { whole: { type: 'integer' } },
  });
  expect(check({ a: 'x', list: [1] })).toEqual([]);
  expect(check({})).toEqual([{ path: '', message: "must have required property 'a'" }]);
  expect(check({ a: 'y', b: 1, list: [1.5] }).map(({ path }) => path)).toEqual(['', '/a', '/list/0']);
});

it('matches every pattern in linear time', () => {
  const check = compileValueSchema({
    properties: { text: { type: 'string', pattern: EVIL } },
    patternProperties: { [EVIL]: { type: 'number' } },
    propertyNames: { anyOf: [{ pattern: EVIL }, { maxLength: 60_000 }] },
  });
  expect(check({ text: VICTIM, [VICTIM]: 'no number' })).toEqual([
    { path: '/text', message: `must match pattern "${EVIL}"` },
  ]);
  expect(check({ text: 'aaa', aaa: 'no number' })).toEqual([{ path: '/aaa', message: 'must be number' }]);
});

it.each([
  [{ type: 'objekt' }, /schema is invalid/],
  [{ pattern: 'a(?=b)' }, /look-ahead/],
  [{ patternProperties: { '(a)\\1': { type: 'number' } } }, /back-references/],
  [{ prefixItems: [{}] }, /unknown keyword: "prefixItems"/],
  [{ type: 'string', format: 'weird' }, /unknown format "weird"/],
])('refuses %j by name', (schema, message) => {
  expect(() => compileValueSchema(schema)).toThrow(message);
});

it('knows two schemas of the same $id', () => {
  expect(compileValueSchema({ $id: 'x', type: 'string' })('text')).toEqual([]);
  expect(compileValueSchema({ $id: 'x', type: 'number' })(1)).toEqual([]);
});
