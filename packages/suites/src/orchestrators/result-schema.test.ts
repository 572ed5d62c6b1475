import { resultJsonSchema } from '@understudy/verdict';
import { expect, it } from 'vitest';
import { registerOrchestrators } from '../ralph/register.js';

registerOrchestrators();

it('is the committed schema (npm run schema writes it anew)', async () => {
  const text = `${JSON.stringify(resultJsonSchema(), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../../../schema/result.schema.json');
});
