import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineReader } from './line-reader.js';

function read(chunks: readonly Buffer[], longest?: number): string[] {
  const lines: string[] = [];
  const reader = new LineReader((line) => lines.push(line), longest);
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return lines;
}

it('gives the same lines however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(200)), (parts, cuts) => {
      const lines = parts.map((part) => part.replace(/[\r\n]/g, ' '));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
      const chunks = [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
      expect(read(chunks)).toEqual(lines);
    }),
  );
});

it('keeps a last line without an end', () => {
  expect(read([Buffer.from('one\ntwo')])).toEqual(['one', 'two']);
});

it('takes carriage returns off', () => {
  expect(read([Buffer.from('one\r\ntwo\r\n')])).toEqual(['one', 'two']);
});

it('cuts a line that is too long and goes on with the next', () => {
  expect(read([Buffer.from('abcdef'), Buffer.from('ghi\nnext\n')], 4)).toEqual(['abcd', 'next']);
});
