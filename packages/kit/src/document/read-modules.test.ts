import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvalidDocumentError, UnderstudyError } from '../errors.js';
import { createScratch, type Scratch } from '../process/scratch.js';
import { describeError } from './describe-error.js';
import { readModule, readModules } from './read-modules.js';

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch('modules');
});
afterAll(() => scratch.remove());

function put(name: string, text: string): string {
  const file = join(scratch.path, name);
  writeFileSync(file, text);
  return file;
}

function refusal(name: string, text: string): string {
  const said = readModules([put(name, text)], 30_000)
    .values()
    .next().value;
  expect(said).toBeInstanceOf(UnderstudyError);
  return describeError(said).replaceAll(`${scratch.path}/`, '');
}

it('gives the default export, which may take its time, and reads a changed file anew', () => {
  const file = put(
    'a.mjs',
    'export default Promise.resolve({ one: [1, "two", true, null], gone: undefined, at: new Date(0) })',
  );
  expect(readModule(file)).toEqual({ file, value: { one: [1, 'two', true, null], at: '1970-01-01T00:00:00.000Z' } });
  put('a.mjs', 'export default { other: 1 }');
  expect(readModule(file).value).toEqual({ other: 1 });
});

it('goes on after a module that ends its thread or never settles', () => {
  const files = ['process.exit(3)', 'for (;;);', 'await new Promise(() => {})', 'export default { fine: 1 }'].map(
    (text, index) => put(`${index}.mjs`, text),
  );
  const told = [...readModules(files, 5000).values()].map((one) =>
    one instanceof InvalidDocumentError ? one.problems[0]?.message : one,
  );
  expect(told).toEqual([
    expect.stringContaining('the module ended before it gave a rehearsal: with 3'),
    expect.stringContaining('the module has not settled after 5 s'),
    expect.stringContaining(
      'the module ended before it gave a rehearsal: it called `process.exit`, or an `await` never settles',
    ),
    expect.objectContaining({ value: { fine: 1 } }),
  ]);
});

it.each([
  ['throws.mjs', '\nthrow new Error("the table is empty")', /throws\.mjs:2:7 .*cannot be imported: the table is empty/],
  ['syntax.mjs', 'export default {\n  a: = 1 }', /syntax\.mjs:2:6 the module cannot be imported: Unexpected token '='/],
  ['text.mjs', 'throw "no"', /text\.mjs the module cannot be imported: no /],
  [
    'imports.mjs',
    'import { no } from "./a.mjs"; export default {}',
    /imports\.mjs:1:10 .*does not provide an export named 'no'/,
  ],
  ['absent.mjs', 'import "./none.mjs"; export default {}', /Cannot find module .*none\.mjs/],
  ['own.mjs', 'import "agent-understudy"; export default {}', /fix: Install it beside the module: `npm install/],
  [
    'none.mjs',
    'export const rehearsal = {}',
    /none\.mjs the module has no default export .*\n {2}fix: Write `export default`/,
  ],
])('says what is wrong with %s', (name, text, expected) => {
  const told = refusal(name, text);
  expect(told).toMatch(/^PART_UNUSABLE: /);
  expect(told).toMatch(expected);
});

it('names what is not data by its path', () => {
  const file = put(
    'odd.mjs',
    'const own = { a: 1 }; own.own = own; export default { steps: [{ send() {} }, /a/, NaN], own }',
  );
  const [said] = readModules([file]).values();
  expect((said as InvalidDocumentError).problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'steps[0].send: `send` is a function, and a rehearsal is data',
    'steps[1]: `1` is a RegExp, and a rehearsal is data',
    'steps[2]: `2` is NaN, and a rehearsal is data',
    'own.own: `own` is a table that contains itself, and a rehearsal is data',
  ]);
  expect(describeError(said)).toContain('odd.mjs: steps[1] ');
  expect(describeError(said)).toContain('fix: Write `{ type: "regex", pattern: "…" }`.');
  expect(refusal('made.mjs', 'export default () => ({})')).toContain('the default export is a function');
});

it('is an error where Node does not run TypeScript', () => {
  const file = put('typed.ts', 'export default { name: "typed" as string }');
  if (Reflect.get(process.features, 'typescript')) expect(readModule(file).value).toEqual({ name: 'typed' });
  else expect(() => readModule(file)).toThrow(expect.objectContaining({ fix: expect.stringContaining('Node 22.18') }));
});
