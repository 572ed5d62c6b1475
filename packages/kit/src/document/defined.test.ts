import { expect, expectTypeOf, it } from 'vitest';
import { defined } from './defined.js';

it('drops fields that are undefined and keeps all others in their order', () => {
  const fields = defined({ b: undefined, a: 1, none: null, empty: '', no: false, zero: 0 });
  expect(Object.entries(fields)).toEqual([
    ['a', 1],
    ['none', null],
    ['empty', ''],
    ['no', false],
    ['zero', 0],
  ]);
});

it('makes a field optional only when it may be undefined', () => {
  const name: string | undefined = ['x'][0];
  const fields = defined({ id: 1, name });
  expectTypeOf(fields).toEqualTypeOf<{ id: number } & { name?: string }>();
  // With exactOptionalPropertyTypes an undefined `name` would not be allowed here.
  const record: { id: number; name?: string } = fields;
  expect(record).toEqual({ id: 1, name: 'x' });
});
