import { expect, it } from 'vitest';
import { borders, standInsPage } from './page.js';

it('is the committed page (npm run stand-ins writes it again)', async () => {
  await expect(standInsPage()).toMatchFileSnapshot('../../docs/stand-ins.md');
});

it.each(borders)('has each name of $cli on one side of the border only', ({ names }) => {
  for (const { played = [], ignored = [], refused = [] } of Object.values(names)) {
    const all = [...played, ...ignored, ...refused];
    expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
  }
});
