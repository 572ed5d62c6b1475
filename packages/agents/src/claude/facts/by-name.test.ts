import { expect, it } from 'vitest';
import { byName } from './by-name.js';

it('sorts as the language of the CLI does', () => {
  const signs = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  const names = [
    'a',
    'a_b',
    'a-b',
    'a.md',
    'a-b.md',
    'A2',
    'ab',
    'Ab',
    'aB',
    'AB',
    'B',
    'b:z',
    'd/deep/q',
    'd/E',
    'dd',
    '10',
    '2',
  ];
  for (const list of [signs, names]) {
    const sorted = [...list].sort((a, b) => a.localeCompare(b, 'en'));
    expect([...list].reverse().sort(byName)).toEqual(sorted);
  }
});
