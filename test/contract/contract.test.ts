import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { compare, judge } from './compare.js';
import { readBase, readDifferences, writeBase } from './recorded.js';
import { SURFACE, takeSurface } from './surface.js';

it('is the contract of the recorded commit, but for the listed differences', { timeout: 300_000 }, async () => {
  const contract = await takeSurface(resolve('.'));
  const started = process.env['UNDERSTUDY_RECORD_CONTRACT'];
  // Of the commit that is checked out and built.
  if (started !== undefined) writeBase({ commit: started, contract });
  expect(judge(compare(readBase().contract, contract), readDifferences(), SURFACE)).toEqual([]);
});
