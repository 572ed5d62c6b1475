import { expect, it } from 'vitest';
import { DefaultJsonSchemaValidator } from './sdk-shims.js';

it('checks against a schema when it is asked to', () => {
  const check = new DefaultJsonSchemaValidator().getValidator({ type: 'object', required: ['name'] });
  expect(check({ name: 'one' })).toMatchObject({ valid: true });
  expect(check({})).toMatchObject({ valid: false });
});
