import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MIGRATIONS } from './migrations.js';

it('the manual names every table and column', () => {
  const manual = readFileSync('docs/scale.md', 'utf8');
  const tables = [...MIGRATIONS.join('\n').matchAll(/CREATE TABLE understudy\.(\w+) \(\n([^;]+?)\n\)/g)];
  expect(tables.length).toBeGreaterThan(7);
  const missing = tables.flatMap(([, table = '', body = '']) => {
    const columns = [...body.matchAll(/^ {2}([a-z_]+) /gm)].map(([, column = '']) => column);
    return [table, ...columns].filter((name) => !manual.includes(`\`${name}\``)).map((name) => `${table}: ${name}`);
  });
  expect(missing).toEqual([]);
});
