import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { compare, judge } from './compare.js';
import { packageAt } from './package-at.js';
import { readBase, readDifferences, writeBase } from './recorded.js';
import { SURFACE, takeSurface } from './surface.js';

it('is the contract of the recorded commit, but for the listed differences', { timeout: 900_000 }, async () => {
  const commit = process.env['UNDERSTUDY_RECORD_CONTRACT'];
  if (commit !== undefined) writeBase({ commit, contract: await takeSurface((await packageAt(commit)).root) });
  const contract = await takeSurface(resolve('.'));
  expect(judge(compare(readBase().contract, contract), readDifferences(), SURFACE)).toEqual([]);
});
