import { expect, it } from 'vitest';
import { reportJsonSchema } from './json-schema.js';

it('is the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(reportJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../schema/suite-report.schema.json');
});
