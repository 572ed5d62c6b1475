import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { suiteCases } from '../ralph/cases/index.js';

const rows = readFileSync('docs/orchestrator-requirements.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| N?FR\d/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

it('has every requirement once', () => {
  const numbers = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
  expect(rows.map(([id]) => id)).toEqual([...numbers('FR', 19), ...numbers('NFR', 10)]);
});

it.each(rows.map((row) => [row[0] ?? '', row.at(-1) ?? '']))('%s is shown by a test that exists', (_, shown) => {
  const [file = '', ...title] = shown.split(': ');
  expect(readFileSync(file, 'utf8')).toContain(title.join(': '));
});

it('names cases that exist', () => {
  const named = rows.flatMap((row) => (row.length === 4 ? (row[2] ?? '').split(', ') : []));
  expect(named.filter((id) => !suiteCases.some((entry) => entry.id === id))).toEqual([]);
});

it('names every case', () => {
  const text = rows.flat().join(' ');
  expect(suiteCases.map(({ id }) => id).filter((id) => !text.includes(id))).toEqual([]);
});
