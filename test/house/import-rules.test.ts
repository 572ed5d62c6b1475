import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../helpers/understudy.js';

const LOW = "export { a } from './src/one/a.js';\nexport type { B } from './src/two/b.js';\n";

const HOUSE: Record<string, string> = {
  'package.json': JSON.stringify({ dependencies: { zod: '1.0.0', yaml: '1.0.0' } }),
  'src/layers.json': '["cli"]',
  'src/cli/main.ts': "import { high } from '@understudy/high';",
  'packages/low/package.json': JSON.stringify({ dependencies: { zod: '*' } }),
  'packages/low/index.ts': LOW,
  'packages/low/src/layers.json': '["one", "two other.ts"]',
  'packages/low/src/one/a.ts': "import { z } from 'zod';\nimport { readFileSync } from 'node:fs';",
  'packages/low/src/two/b.ts': "import { a } from '../one/a.js';\nimport '../other.js';",
  'packages/low/src/other.ts': "import facts from '../package.json' with { type: 'json' };",
  'packages/high/package.json': JSON.stringify({ dependencies: { '@understudy/low': '*' } }),
  'packages/high/index.ts': "export { high } from './src/high.js';\n",
  'packages/high/src/layers.json': '["high.ts"]',
  'packages/high/src/high.ts': "import { a, type B } from '@understudy/low';",
};

/** Runs the lint over this house with some files changed. */
async function lint(files: Record<string, string> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'understudy-imports-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, text] of Object.entries({ ...HOUSE, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const { code, stderr } = await runProgram([process.execPath, 'scripts/lint-imports.mjs', root]);
  return { code, problems: stderr.split('\n').filter((line) => line !== '') };
}

const red = (...problems: string[]) => ({ code: 1, problems });

it('accepts faces, layers, packages that are named, and what nobody imports', async () => {
  expect(await lint()).toEqual({ code: 0, problems: [] });
});

it.each([
  "import { b } from '../two/b.js';",
  "import type { B } from '../two/b.js';",
  "import {\n  b,\n  c,\n} from '../two/b.js';",
  "import * as b from '../two/b.js';",
  "export { b } from '../two/b.js';",
  "export * from '../two/b.js';",
  "import '../two/b.js';",
  "const { b } = await import('../two/b.js');",
  "type B = import('../two/b.js').B;",
])('fails on an import from a layer above: %s', async (statement) => {
  const files = {
    'packages/low/src/one/a.ts': `import { z } from 'zod';\n${statement}`,
    'packages/low/src/two/b.ts': '',
  };
  expect(await lint(files)).toEqual(red('packages/low/src/one/a.ts: two stands above one'));
});

it('fails on an import past a face, by path and by name', async () => {
  const used = "import { a } from '@understudy/low';\n";
  expect(await lint({ 'packages/high/src/high.ts': `${used}import '../../low/src/one/a.js';` })).toEqual(
    red('packages/high/src/high.ts: ../../low/src/one/a.js is in another package; import its face'),
  );
  expect(
    await lint({ 'packages/high/src/high.ts': `${used}import { a } from '@understudy/low/src/one/a.js';` }),
  ).toEqual(red('packages/high/src/high.ts: @understudy/low/src/one/a.js goes past the face of @understudy/low'));
  expect(await lint({ 'packages/high/src/high.test.ts': "import '../../low/src/one/a.js';" })).toEqual(
    red('packages/high/src/high.test.ts: ../../low/src/one/a.js is in another package; import its face'),
  );
});

it('fails on a name that a face does not have', async () => {
  expect(await lint({ 'packages/high/src/high.ts': "import { hidden } from '@understudy/low';" })).toEqual(
    red('packages/high/src/high.ts: packages/low/index.ts does not export hidden'),
  );
});

it('fails on a package that the manifest does not name, and on one that nobody imports', async () => {
  const files = {
    'packages/low/src/one/a.ts': "import { parse } from 'yaml';\nimport { high } from '@understudy/high';",
    'packages/high/src/high.ts': '',
  };
  expect(await lint(files)).toEqual(
    red(
      'packages/low/src/one/a.ts: packages/low/package.json does not name yaml',
      'packages/low/src/one/a.ts: packages/low/package.json does not name @understudy/high',
      'packages/high/package.json: nothing in it imports @understudy/low; remove it',
      'packages/low/package.json: nothing in it imports zod; remove it',
    ),
  );
});

it('fails on packages that name each other', async () => {
  const files = {
    'packages/low/package.json': JSON.stringify({ dependencies: { zod: '*', '@understudy/high': '*' } }),
    'packages/low/src/two/b.ts': "import { high } from '@understudy/high';",
    'packages/high/src/high.ts': "import { a } from '@understudy/low';",
  };
  expect(await lint(files)).toEqual(red('circle of packages: packages/low → packages/high'));
});

it('fails on a folder without a line, and on a line without a folder', async () => {
  expect(await lint({ 'packages/low/src/new/c.ts': '' })).toEqual(
    red('packages/low/src/new/c.ts: packages/low/src/layers.json has no line for new'),
  );
  expect(await lint({ 'packages/low/src/layers.json': '["one", "two other.ts gone"]' })).toEqual(
    red('packages/low/src/layers.json: gone is not there'),
  );
});

it.each([
  "import { c } from './c.js';",
  "import type { C } from './c.js';",
  "const c = () => import('./c.js');",
  "export { c } from './c.js';",
])('fails on a circle between files: %s', async (back) => {
  const files = { 'packages/low/src/two/c.ts': "import { b } from './b.js';", 'packages/low/src/two/b.ts': back };
  expect(await lint(files)).toEqual(red('circle: packages/low/src/two/c.ts → packages/low/src/two/b.ts'));
});

it('leaves the layers of test files alone', async () => {
  expect(await lint({ 'packages/low/src/one/a.test.ts': "import { b } from '../two/b.js';" })).toEqual({
    code: 0,
    problems: [],
  });
});
