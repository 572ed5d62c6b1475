import { expect, it } from 'vitest';
import { IGNORED_FLAGS, REFUSED_FLAGS, SUPPORTED_FLAGS } from './flags.js';

it('says of each flag one thing', () => {
  const known = [...SUPPORTED_FLAGS, ...IGNORED_FLAGS].flatMap(({ names }) => names);
  const all = [...known, ...REFUSED_FLAGS];
  expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
});
