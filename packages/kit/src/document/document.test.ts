import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { codeFrame, linesOf } from './code-frame.js';
import { renamedField } from './field.js';
import { createLocator } from './locate.js';
import { nearestWord } from './nearest.js';
import { formatPath } from './path.js';
import { locateProblems } from './problems.js';
import { parseSource, readSource } from './source.js';
import { validate } from './validate.js';

it('marks the column in a frame, also far out in a very long line', () => {
  expect(codeFrame(linesOf('a\nbcd\ne'), 2, 3)).toBe('  1 | a\n> 2 | bcd\n    |   ^\n  3 | e');
  const long = `${'x'.repeat(5000)}!${'x'.repeat(5000)}`;
  const [line = '', marker = ''] = codeFrame(linesOf(long), 1, 5001).split('\n');
  expect(line.length).toBeLessThan(200);
  expect(line[marker.indexOf('^')]).toBe('!');
});

it('finds the most similar known word, or none', () => {
  const known = ['response', 'failure', 'max_matches'];
  expect(nearestWord('reponse', known)).toBe('response');
  expect(nearestWord('max', known)).toBe('max_matches');
  expect(nearestWord('colour', known)).toBeUndefined();
});

// Where the text is read again for each problem, this takes minutes.
it('finds the lines of very many problems', () => {
  const count = 20_000;
  const source = parseSource('[[rules]]\nname = "x"\n'.repeat(count), 'toml');
  const findings = Array.from({ length: count }, (_, index) => ({
    ...{ code: 'NO_RULES' as const, message: 'm', path: ['rules', index, 'name'] },
  }));
  const problems = locateProblems(source, findings);
  expect(problems.at(-1)).toMatchObject({ location: { line: 2 * count }, frame: expect.stringContaining('> 40000 |') });
});

it('says how a value is written in the type that is wanted', () => {
  const schema = z.strictObject({
    list: z.optional(z.array(z.string())),
    on: z.optional(z.boolean()),
    text: z.optional(z.string()),
    table: z.optional(z.strictObject({ any: z.optional(z.string()), all: z.optional(z.string()) })),
  });
  const fixOf = (value: unknown) => validate(schema, value).findings.map(({ fix }) => fix);
  expect(fixOf({ list: 'x' })).toEqual(['Write a list: `["x"]`.']);
  expect(fixOf({ on: 'true' })).toEqual(['Write true or false, without quotation marks.']);
  expect(fixOf({ text: 3 })).toEqual(['Write it in quotation marks: `"3"`.']);
  expect(fixOf({ table: 'x' })).toEqual(['Write a table with some of any, all.']);
});

it('quotes keys with other characters', () => {
  expect(formatPath(['a', 0, 'b-c', 'd e', '$file'])).toBe('a[0].b-c["d e"].$file');
});

it('finds keys, list items, inline tables, dotted keys and tables in TOML', () => {
  const text =
    'a.b = 1\nlist = [\n  1, { k = 2 },\n]\n[t]\nx = 1\n[[rules]]\nname = "one"\n[[rules]]\nname = "two"\n[rules.sub]\ny = 1\n';
  const locate = createLocator(parseSource(text, 'toml'));
  expect(locate(['a', 'b'])).toEqual({ line: 1, column: 3 });
  expect(locate(['list', 1, 'k'])).toEqual({ line: 3, column: 8 });
  expect(locate(['t', 'x'])).toEqual({ line: 6, column: 1 });
  expect(locate(['rules', 1, 'name'])).toEqual({ line: 10, column: 1 });
  expect(locate(['rules', 1, 'sub', 'y'])).toEqual({ line: 12, column: 1 });
  expect(locate(['rules', 1, 'missing', 'deep']), 'the nearest ancestor').toEqual({ line: 9, column: 1 });
  expect(locate(['nowhere'])).toEqual({ line: 1, column: 1 });
});

it('describes problems with the names of the schema and the given value', () => {
  const schema = z.strictObject({
    kind: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('one'), n: z.number() }),
      z.strictObject({ type: z.literal('two') }),
    ]),
    either: z.optional(z.union([z.string(), z.strictObject({ text: z.string() })])),
    size: z.optional(z.int().check(z.minimum(1), z.maximum(9))),
    mode: z.optional(z.enum(['fast', 'slow'])),
  });
  const messages = (value: unknown) =>
    validate(schema, value).findings.map(({ message, fix }) => (fix ? `${message} (${fix})` : message));
  expect(messages({ kind: { type: 'one', n: 1 }, either: 'x' })).toEqual([]);
  expect(messages({ kind: {} })).toEqual(['`kind` has no `type` (Add it, with one of one, two.)']);
  expect(messages({ kind: { type: 'tow' } })).toEqual([
    '`type` cannot be "tow" (Change it to "two" (one of one, two).)',
  ]);
  expect(messages({ kind: { type: 'one' } })).toEqual(['`kind` of type "one" has no `n` (Add `n = 1`.)']);
  expect(messages({ kind: 3 })).toEqual([
    '`kind` must be a table, not a number (Write a table with `type`, one of one, two.)',
  ]);
  const two = { type: 'two' };
  expect(messages({ kind: two, either: { txt: 'x' } })).toEqual([
    '`either` has no `text` (Add `text = "…"`.)',
    '`txt` is not a field here (Change it to `text`.)',
  ]);
  expect(messages({ kind: two, either: 3 })).toEqual(['`either` must be a string or table, not a number']);
  expect(messages({ kind: two, size: 0 })).toEqual(['`size` must be at least 1']);
  expect(messages({ kind: two, size: 10 })).toEqual(['`size` must be at most 9']);
  expect(messages({ kind: two, mode: 'fats' })).toEqual([
    '`mode` cannot be "fats" (Change it to "fast" (one of fast, slow).)',
  ]);
  expect(messages([])).toEqual([
    'the document must be a table, not a list (Write a table with some of kind, either, size, mode.)',
  ]);
});

it('names the new field for an old one, and never suggests an old one', () => {
  const schema = z.strictObject({ workflow: z.optional(z.string()), stage: renamedField('workflow') });
  const messages = (value: unknown) => validate(schema, value).findings.map(({ message, fix }) => [message, fix]);
  expect(messages({ stage: 'x' })).toEqual([
    ['`stage` has a new name here: `workflow`', 'Write `workflow` instead of `stage`.'],
  ]);
  expect(messages({ stages: 'x' })).toEqual([['`stages` is not a field here', 'Use one of workflow.']]);
});

it('knows a new name for certain where one letter slipped, or the field was renamed', () => {
  const shape = {
    workers: z.optional(z.int()),
    env: z.optional(z.string()),
    end: z.optional(z.string()),
    stage: renamedField('env'),
  };
  const names = (value: unknown) => validate(z.strictObject(shape), value).findings.map(({ new_name }) => new_name);
  expect(names({ worker: 1 })).toEqual(['workers']);
  expect(names({ wrokers: 1 })).toEqual(['workers']);
  expect(names({ evn: 'x' })).toEqual(['env']);
  expect(names({ stage: 'x' })).toEqual(['env']);
  // Two are as near, two letters are wrong, it is there already.
  expect(names({ enx: 'x' })).toEqual([undefined]);
  expect(names({ workerxx: 1 })).toEqual([undefined]);
  expect(names({ worker: 1, workers: 1 })).toEqual([undefined]);
});

it('names the keys of a table with fixed names, and says where nothing can stand', () => {
  const schema = z.strictObject({
    skip: z.optional(z.partialRecord(z.enum(['sim', 'live']), z.string())),
    empty: z.optional(z.strictObject({})),
  });
  const fixes = (value: unknown) => validate(schema, value).findings.map(({ fix }) => fix);
  expect(fixes({ skip: { smi: 'no' } })).toEqual(['Change it to `sim`.']);
  expect(fixes({ skip: { never: 'no' } })).toEqual(['Use one of sim, live.']);
  expect(fixes({ empty: { x: 1 } })).toEqual(['Remove it: there are no fields here.']);
});

it.each([tmpdir(), ...['/dev/shm'].filter((path) => existsSync(path))])(
  'refuses a named pipe in %s, which nobody may ever write to',
  (root) => {
    const folder = mkdtempSync(join(root, 'understudy-pipe-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'pipe.toml');
    execFileSync('mkfifo', [file]);
    expect(() => readSource(file)).toThrow(`${file} cannot be read: it is a named pipe`);
  },
);

it('takes an alias in YAML, and refuses one inside of what it names', () => {
  expect(parseSource('a: &x { b: 1 }\nc: *x\n', 'yaml').value).toEqual({ a: { b: 1 }, c: { b: 1 } });
  expect(() => parseSource('a: 1\nb: &x { then: [{ again: *x }] }\n', 'yaml')).toThrow(
    expect.objectContaining({
      code: 'DOCUMENT_SYNTAX',
      problems: [
        expect.objectContaining({
          message: 'this is not valid YAML: the alias *x stands inside of what it names',
          location: { line: 2, column: 25 },
        }),
      ],
    }),
  );
});
