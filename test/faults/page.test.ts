import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { plantedElsewhere } from './catalogue/elsewhere.js';
import { catalogues } from './catalogue/index.js';
import { faultsPage } from './page.js';

it('is the committed page (npm run faults writes it again)', async () => {
  await expect(faultsPage()).toMatchFileSnapshot('../../docs/faults.md');
});

it.each(plantedElsewhere)('$fault: its test is there', ({ file, test }) => {
  expect(readFileSync(file, 'utf8')).toContain(test);
});

it('lists no fault that no stage shows', () => {
  const faults = catalogues.flatMap((catalogue) => Object.entries(catalogue.faults));
  expect(faults.filter(([, { unseen }]) => unseen?.sim !== undefined && unseen.scripted !== undefined)).toEqual([]);
});
