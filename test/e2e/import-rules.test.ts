import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../helpers/understudy.js';

/** Runs the lint over files, with a table of its own. */
async function lint(rules: Record<string, string[]>, files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'understudy-imports-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, 'src', name)), { recursive: true });
    writeFileSync(join(root, 'src', name), text);
  }
  const table = join(root, 'rules.mjs');
  writeFileSync(table, `export const importRules = ${JSON.stringify(rules)};`);
  const { code, stderr } = await runProgram([process.execPath, 'scripts/lint-imports.mjs', join(root, 'src'), table]);
  return { code, problems: stderr.split('\n').filter((line) => line !== '') };
}

const GREEN = { code: 0, problems: [] };
const red = (...problems: string[]) => ({ code: 1, problems });

it('accepts what the table allows: rooms, single files, packages, and rooms within rooms', async () => {
  const rules = { low: ['npm:zod'], 'low/deep': ['low'], high: ['low', 'low/deep', 'shared.ts'], 'shared.ts': [] };
  const files = {
    'low/a.ts': "import { z } from 'zod';\nimport { E } from '../errors.js';\nimport { readFileSync } from 'node:fs';",
    'low/deep/b.ts': "import { a } from '../a.js';",
    'high/c.ts': "import { a } from '../low/a.js';\nexport { b } from '../low/deep/b.js';\nimport '../shared.js';",
    'errors.ts': '',
    'shared.ts': '',
    'index.ts': "export { c } from './high/c.js';",
  };
  expect(await lint(rules, files)).toEqual(GREEN);
});

it.each([
  "import { main } from '../high/main.js';",
  "import type { Main } from '../high/main.js';",
  "import {\n  main,\n  other,\n} from '../high/main.js';",
  "import main, { type Other } from '../high/main.js';",
  "import * as main from '../high/main.js';",
  "export { main } from '../high/main.js';",
  "export type { Main } from '../high/main.js';",
  "export * from '../high/main.js';",
  "import '../high/main.js';",
  "const { main } = await import('../high/main.js');",
  "type Main = import('../high/main.js').Main;",
])('fails on a forbidden import: %s', async (statement) => {
  const files = { 'low/a.ts': statement, 'high/main.ts': '' };
  expect(await lint({ low: [], high: [] }, files)).toEqual(red('src/low/a.ts: low may not import high'));
});

it('fails on a package that the table does not name, and on the public entry', async () => {
  const files = {
    'low/a.ts': "import { z } from 'zod';",
    'low/b.ts': "import { x } from '../index.js';",
    'index.ts': '',
  };
  expect(await lint({ low: [] }, files)).toEqual(
    red('src/low/a.ts: low may not import npm:zod', 'src/low/b.ts: low may not import index.ts'),
  );
});

it('fails on an import from a room within a room that only the outer room may use', async () => {
  const files = {
    'low/deep/a.ts': "import { b } from '../../other/b.js';",
    'low/c.ts': "import '../other/b.js';",
    'other/b.ts': '',
  };
  expect(await lint({ low: ['other'], 'low/deep': [], other: [] }, files)).toEqual(
    red('src/low/deep/a.ts: low/deep may not import other'),
  );
});

it('fails on a folder without a line', async () => {
  expect(await lint({}, { 'new/deep/a.ts': '' })).toEqual(
    red('src/new/deep/a.ts: new/deep has no line in scripts/import-rules.mjs; add one'),
  );
});

it('fails on an allowance that no file uses', async () => {
  const rules = { low: ['npm:zod'], high: ['low'] };
  expect(await lint(rules, { 'low/a.ts': '', 'high/b.ts': '' })).toEqual(
    red(
      'scripts/import-rules.mjs: high does not use low; remove it',
      'scripts/import-rules.mjs: low does not use npm:zod; remove it',
    ),
  );
});

it.each([
  "import { a } from './a.js';",
  "import type { A } from './a.js';",
  "const a = () => import('./a.js');",
  "export { a } from './a.js';",
])('fails on a circle between files: %s', async (back) => {
  const files = { 'low/a.ts': "import { b } from './b.js';", 'low/b.ts': "import './c.js';", 'low/c.ts': back };
  expect(await lint({ low: [] }, files)).toEqual(red('circle: src/low/c.ts → src/low/b.ts → src/low/a.ts'));
});

it('leaves test files alone', async () => {
  const files = {
    'low/a.ts': '',
    'low/a.test.ts': "import { main } from '../high/main.js';",
    'high/main.ts': '',
    'no-line/a.test.ts': '',
  };
  expect(await lint({ low: [], high: [] }, files)).toEqual(GREEN);
});
