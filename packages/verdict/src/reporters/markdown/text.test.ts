import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellsOf, code, fence, plain, prose, row } from './text.js';

const NASTY = [
  '|',
  '\\|',
  '\\',
  '`',
  '```',
  '``````',
  '<details>',
  '</details>',
  '# heading',
  '### ❌ `x`',
  '\r\n',
  '\n',
  '\t',
  '\u0000',
  '\u001b[31m',
  '\u202e',
  '\u2028',
  '\ud800',
  '👩‍💻',
  ' ',
  '- item',
  '1. one',
  '*(empty)*',
  '**bold**',
  '_a_b_',
  '\\n',
  '\\u{41}',
  '---',
  '&lt;',
  '@name',
  'https://x.test/_a_?b=1&c',
  '#12',
  '!3',
];

/** Texts made to break a document. */
const nasty = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary' }), fc.string()))
  .map((p) => p.join(''));

it('reads back what it wrote, on one line', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      for (const write of [code, prose]) {
        const written = write(text);
        expect(written).not.toMatch(/[\n\r\u2028\u2029\u0085]/);
        expect(plain(written)).toBe(text);
      }
    }),
    { numRuns: 1000 },
  );
});

it('keeps the cells of a row apart', () => {
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1 }), (texts) => {
      expect(cellsOf(row(texts.map(code))).map(plain)).toEqual(texts);
    }),
    { numRuns: 500 },
  );
});

it('leaves ordinary words as they are', () => {
  for (const text of [
    'LOOP_COMPLETE was said, in line 3.',
    '0.1.0',
    '--skip-analysis',
    'event build.done by builder',
    '“It’s – done…”',
  ]) {
    expect(prose(text)).toBe(text);
    expect(code(text)).toBe(`\`${text}\``);
  }
});

it('writes nothing that a terminal or a renderer would act on', () => {
  expect(prose('<script>')).toBe('\\<script>');
  expect(prose('# x')).toBe('\\# x');
  expect(prose('1. x')).toBe('1\\. x');
  expect(code('\u001b[31mred')).toBe('`\\u{1b}[31mred`');
  expect(code('a`b')).toBe('``a`b``');
  expect(code('`')).toBe('`` ` ``');
});

it('puts into code what would call somebody or become a link', () => {
  expect(prose('Ask @octo/team-a, see owner/repo#12, !3, GH-4 and https://x.test/_a_?b=1&c*.')).toBe(
    'Ask `@octo/team-a`, see owner/repo`#12`, `!3`, `GH-4` and `https://x.test/_a_?b=1&c*.`',
  );
  expect(prose('claude@2.1.325 in build.done_x')).toBe('claude@2.1.325 in build.done_x');
});

it('fences with more ticks than there are inside', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const lines = fence(text, 'yaml').split(/\r\n|\n|\r/);
      const ticks = lines.at(-1) ?? '';
      expect(lines[0]).toBe(`${ticks}yaml`);
      expect(lines.slice(1, -1).some((line) => line.includes(ticks))).toBe(false);
    }),
    { numRuns: 500 },
  );
  expect(fence('')).toBe('```\n(empty)\n```');
  expect(fence('a\r\nb\u0007\n')).toBe('```\na\nb\\u{7}\n```');
});
