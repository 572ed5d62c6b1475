import fc from 'fast-check';
import { it } from 'vitest';
import { textChunks } from './text-chunks.js';

it('cuts a text into chunks that are the text again', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => textChunks(text).join('') === text));
});
