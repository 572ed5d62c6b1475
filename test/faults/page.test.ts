import { expect, it } from 'vitest';
import { faultsPage } from './page.js';

it('is the committed page (npm run faults writes it again)', async () => {
  await expect(faultsPage()).toMatchFileSnapshot('../../docs/faults.md');
});
