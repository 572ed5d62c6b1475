import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScratch, describeError, InvalidDocumentError, isObject } from '@understudy/kit';
import { afterAll, expect, it } from 'vitest';
import { rehearsalEntries } from '../entries.js';
import { loadRows } from '../load.js';
import { loadRehearsals } from '../load-files.js';
import { snapshotFiles } from '../snapshot.js';
import { parseCsv } from './csv.js';

const scratch = createScratch('rows');
afterAll(() => scratch.remove());

function put(text: string, name = 'a.rehearsal.toml'): string {
  const file = join(scratch.path, name);
  writeFileSync(file, text);
  return file;
}

const STEPS = `
[[steps]]
run = ["guard", "{{command}}"]
[steps.expect]
exit_code = "{{exit}}"
stderr = "{{why}}"
`;

function expected(file: string) {
  return loadRows(file).map(({ name, document: { steps } }) => {
    const [{ run, expect: wanted } = {}] = steps as { run?: unknown; expect?: unknown }[];
    return [name, run, isObject(wanted) ? [wanted['exit_code'], wanted['stderr']] : wanted];
  });
}

const FILLED = [
  ['guard [rm]', ['guard', 'rm -rf /'], [2, 'refused']],
  ['guard [number]', ['guard', '7'], [0, '404']],
];

it('is a rehearsal for each row, whose values keep their types', () => {
  const rows =
    '[[each]]\nname = "rm"\ncommand = "rm -rf /"\nexit = 2\nwhy = "refused"\n[[each]]\nname = "number"\ncommand = 7\nexit = 0\nwhy = 404\n';
  expect(expected(put(`name = "guard"\n${rows}${STEPS}`))).toEqual(FILLED);
});

it.each([
  ['rows.csv', 'name,command,exit,why\nrm,rm -rf /,2,refused\r\n"number",7,0,404\n\n'],
  [
    'rows.json',
    '[{"name":"rm","command":"rm -rf /","exit":2,"why":"refused"},{"name":"number","command":7,"exit":0,"why":404}]',
  ],
  [
    'rows.toml',
    '[[each]]\nname = "rm"\ncommand = "rm -rf /"\nexit = 2\nwhy = "refused"\n[[each]]\nname = "number"\ncommand = 7\nexit = 0\nwhy = 404\n',
  ],
  [
    'rows.yaml',
    '- { name: rm, command: rm -rf /, exit: 2, why: refused }\n- { name: number, command: 7, exit: 0, why: 404 }\n',
  ],
])('reads rows from %s', (name, text) => {
  put(text, name);
  const file = put(`name = "guard"\neach = "${name}"\n${STEPS}`);
  expect(expected(file)).toEqual(FILLED);
  expect(rehearsalEntries(loadRehearsals([file]))[0]?.parts).toEqual([file, join(scratch.path, name)]);
});

it('names entries, folders and snapshots by the row', () => {
  const each = '[[each]]\nsaid = "a/b"\n[[each]]\nsaid = "a-b"\n';
  const file = put(
    `name = "says {{said}}"\ndefault_response = "{{said}} {{prompt}}"\n${each}[[steps]]\nsend = "{{said}}"\n`,
  );
  const rehearsals = loadRehearsals([file]);
  const entries = rehearsalEntries(rehearsals, { stage: 'sim' });
  expect(entries.map(({ name }) => name)).toEqual(['says a/b', 'says a-b']);
  expect(entries[0]?.id).toContain(' [a/b] ');
  expect(entries[0]?.rerun).toContain("--grep '[a/b]'");
  expect(new Set(entries.map(({ folderName }) => folderName)).size).toBe(2);
  const [first] = loadRows(file);
  expect(first?.scenario.document.default_response).toBe('a/b {{prompt}}');
  const shared = loadRows(file).map((rehearsal) => snapshotFiles({ rehearsal, agent: 'claude', step: 1 }).shared);
  expect(new Set(shared).size).toBe(2);
});

it('reads CSV as spreadsheets write it', () => {
  expect(parseCsv('a,b\r\n"x, ""y""\nz",\n\n,2')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x, "y"\nz', ''] },
    { line: 5, cells: ['', '2'] },
  ]);
});

const ROW = '[[each]]\nsaid = "x"\n';
const SEND = '[[steps]]\nsend = "{{said}}"\n';

it.each([
  ['no rows', `each = []\n${SEND}`, /:1:1 `each` has no rows/],
  ['an empty row', `[[each]]\n${SEND}`, /:1:1 this row is empty/],
  ['a row that is none', `each = ["x"]\n${SEND}`, /:1:\d+ a row must be a table/],
  [
    'an unknown name',
    `${ROW}[[steps]]\nsend = "{{sayd}}"\n`,
    /:4:1 no row has a value for `{{sayd}}`.*[\s\S]*fix: Change it to `{{said}}`/,
  ],
  ['a row without a value', `${ROW}[[each]]\nother = "y"\n${SEND}`, /:6:1 no value for `{{said}}` in the row "y"/],
  ['two rows of one name', `${ROW}${ROW}${SEND}`, /:3:1 the rows 1 and 2 are both named "x"/],
  ['rows that nothing uses', `${ROW}[[steps]]\nsend = "x"\n`, /:1:1 nothing uses the rows/],
  [
    'a column that has no name',
    `[[each]]\n1 = "x"\n[[steps]]\nsend = "{{1}}"\n`,
    /:2:1 "1" cannot be the name of a column/,
  ],
  ['a file that is not there', `each = "none.csv"\n${SEND}`, /:1:1 there is no file none\.csv/],
  [
    'a value that does not fit',
    `[[each]]\nexit = "two"\n[[steps]]\nrun = "x"\n[steps.expect]\nexit_code = "{{exit}}"\n`,
    /:6:1 .*must be .*number.* \(row "two"\)/,
  ],
])('refuses %s, at its place', (_what, text, told) => {
  try {
    loadRows(put(text));
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidDocumentError);
    expect(describeError(error)).toMatch(told);
    expect(describeError(error)).toMatch(/fix: [A-Z]/);
    return;
  }
  expect.unreachable('it was accepted');
});

it('says the line of a CSV file', () => {
  put('said\n"a\nb"\nx\nx\n', 'twice.csv');
  expect(() => loadRows(put(`each = "twice.csv"\n${SEND}`))).toThrow(
    expect.objectContaining({ location: { file: join(scratch.path, 'twice.csv'), line: 5, column: 1 } }),
  );
});
