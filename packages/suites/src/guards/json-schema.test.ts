import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { guardJsonSchema } from './json-schema.js';

it('is the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(guardJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../schema/guard.schema.json');
});

it('accepts the example, and no attack without words', () => {
  const validate = new Ajv2020({ strict: false }).compile(guardJsonSchema());
  expect(
    validate(parse(readFileSync('examples/guard/project/guard.toml', 'utf8'))),
    JSON.stringify(validate.errors),
  ).toBe(true);
  expect(validate({ guard: [{ tool: 'Bash', attack: '' }] })).toBe(false);
});
