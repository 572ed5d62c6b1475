import { expect, it } from 'vitest';
import { structuredPatch } from './patch.js';

it('tells a change with the lines around it', () => {
  expect(structuredPatch('one\ntwo\nthree\n', 'one\n2\nthree\n')).toEqual([
    { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [' one', '-two', '+2', ' three'] },
  ]);
  expect(structuredPatch('same', 'same')).toEqual([]);
});
