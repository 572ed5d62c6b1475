import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { contractJsonSchema } from './json-schema.js';

const validate = new Ajv2020({ strict: false }).compile(contractJsonSchema());

it('is the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(contractJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../../schema/orchestrator.schema.json');
});

it('accepts every contract of the examples, and no others', () => {
  const folder = 'examples/orchestrators';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.orchestrator.toml'),
  );
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const contract = parse(readFileSync(`${folder}/${file}`, 'utf8'));
    expect(validate(contract), `${file} ${JSON.stringify(validate.errors)}`).toBe(true);
    expect(validate({ ...contract, runs: [] })).toBe(false);
  }
});
