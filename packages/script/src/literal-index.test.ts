import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LiteralIndex } from './literal-index.js';

function search(literals: string[], text: string): number[] {
  const found = new Set<number>();
  new LiteralIndex(literals.map((literal, id) => [literal, id])).search(text, (id) => found.add(id));
  return [...found].sort((a, b) => a - b);
}

it('finds literals that overlap, contain each other, and repeat', () => {
  expect(search(['he', 'she', 'his', 'hers', 'he'], 'ushers')).toEqual([0, 1, 3, 4]);
});

it('finds the empty literal everywhere, also in an empty text', () => {
  expect(search(['', 'x'], '')).toEqual([0]);
});

it('finds exactly what a search one by one finds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '😀'), maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '😀'), maxLength: 5 }), { maxLength: 20 }),
      text,
      (literals, t) => {
        const expected = literals.flatMap((literal, id) => (t.includes(literal) ? [id] : []));
        expect(search(literals, t)).toEqual(expected);
      },
    ),
  );
});
