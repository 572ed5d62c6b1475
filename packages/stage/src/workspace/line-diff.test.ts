import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from './line-diff.js';

/** Applies a unified diff the way `patch` does. */
function apply(before: string, diff: string): string {
  const source = before === '' ? [] : before.replace(/\n$/, '').split('\n');
  const result: string[] = [];
  let position = 0;
  for (const hunk of diff.split(/^@@ /m).slice(1)) {
    const [, start = '', length = ''] = /^-(\d+),(\d+) /.exec(hunk) ?? [];
    const from = length === '0' ? Number(start) : Number(start) - 1;
    result.push(...source.slice(position, from));
    position = from;
    for (const line of hunk.split('\n').slice(1, -1)) {
      if (line.startsWith('+')) result.push(line.slice(1));
      else if (line.startsWith(' ')) result.push(source[position++] ?? 'missing');
      else if (line.startsWith('-')) expect(source[position++]).toBe(line.slice(1));
    }
  }
  result.push(...source.slice(position));
  return result.length === 0 ? '' : `${result.join('\n')}\n`;
}

it('says nothing about equal texts', () => {
  expect(unifiedDiff('a\nb\n', 'a\nb\n')).toBe('');
});

it('shows three lines around a change and keeps distant changes apart', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const changed = lines.with(1, 'second').with(18, 'last but one');
  const diff = unifiedDiff(`${lines.join('\n')}\n`, `${changed.join('\n')}\n`);
  expect(diff.match(/^@@.*$/gm)).toEqual(['@@ -1,5 +1,5 @@', '@@ -16,5 +16,5 @@']);
  expect(diff).not.toContain('line 10');
});

it('tells when only the last line break differs', () => {
  expect(unifiedDiff('a\n', 'a')).toContain('\\ No newline at end of file');
});

it('turns the old text into the new one, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => apply(before, unifiedDiff(before, after)) === after),
    {
      numRuns: 500,
    },
  );
});

it('shows long texts that have nothing in common as replaced', () => {
  const text = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join('');
  expect(unifiedDiff(text('old'), text('new'))).toContain('@@ -1,20000 +1,20000 @@');
});
