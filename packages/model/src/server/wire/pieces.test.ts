import fc from 'fast-check';
import { it } from 'vitest';
import { piecesOf } from './pieces.js';

it('cuts a text into pieces that are the text again', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => piecesOf(text).join('') === text));
});
