import { expect, it } from 'vitest';
import { scenarioJsonSchema } from './json-schema.js';

it('is the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../schema/scenario.schema.json');
});
