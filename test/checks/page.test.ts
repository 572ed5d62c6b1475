import { expect, it } from 'vitest';
import { pages, pageWithTables } from './page.js';

it.each(pages)('%s has the tables of today (npm run checks writes them again)', async (file) => {
  await expect(pageWithTables(file)).toMatchFileSnapshot(`../../${file}`);
});
