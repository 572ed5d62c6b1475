import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { findRehearsals } from './find-rehearsals.js';
import { rehearsalJsonSchema } from './json-schema.js';
import { readRehearsal } from './load.js';

const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(rehearsalJsonSchema());

it('is the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(rehearsalJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../schema/rehearsal.schema.json');
});

it('accepts every rehearsal of the examples', () => {
  const files = findRehearsals(['examples']);
  expect(files.length).toBeGreaterThan(50);
  const refused = files.flatMap((file) =>
    validate(readRehearsal(file).value) ? [] : [{ file, errors: validate.errors?.slice(0, 3) }],
  );
  expect(refused).toEqual([]);
});

it.each([
  ['an unknown field', { steps: [{ send: 'a', expects: {} }] }],
  ['an unknown expectation', { steps: [{ send: 'a', expect: { say: 'b' } }] }],
  ['an unknown table of expectations', { steps: [{ send: 'a', expect: { house: {} } }] }],
  ['an expectation of a turn in a step of a program', { steps: [{ run: 'a', expect: { hooks: [] } }] }],
  ['a value under a prefix', { checks: { house: './house.mjs' }, steps: [{ send: 'a', expect: { house: 1 } }] }],
  ['no steps', { name: 'a' }],
  ['a wrong stage', { stage: 'simulated', steps: [{ send: 'a' }] }],
  ['send and run in one step', { steps: [{ send: 'a', run: 'b' }] }],
])('refuses %s', (_what, document) => {
  expect(validate(document)).toBe(false);
});

it('leaves it to the modules what stands under the prefixes of own checks', () => {
  const step = { send: 'a', expect: { says: 'b', house: { polite: true } } };
  expect(validate({ checks: { house: './house.mjs' }, steps: [step] })).toBe(true);
});
