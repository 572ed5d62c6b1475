import { expect, it } from 'vitest';
import { makeToolList } from './tool-list.js';

it('the list that is kept is the list of the tools', async () => {
  // Made anew with: npx vitest run --project unit src/mcp/tool-list.test.ts --update
  await expect(`${JSON.stringify(await makeToolList(), null, 1)}\n`).toMatchFileSnapshot('./tools.schema.json');
});
