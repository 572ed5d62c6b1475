import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { builtInWorkflows } from './built-in-workflows.js';
import { workflowJsonSchema } from './json-schema.js';

const validate = new Ajv2020({ strict: false }).compile(workflowJsonSchema());

it('is the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../../schema/workflow.schema.json');
});

it('accepts the workflows that come with us, and no others', () => {
  const workflows = Object.values(builtInWorkflows).map((text) => parse(text));
  expect(workflows.length).toBeGreaterThan(0);
  for (const workflow of workflows) expect(validate(workflow), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...workflows[0], stage: [] })).toBe(false);
});
