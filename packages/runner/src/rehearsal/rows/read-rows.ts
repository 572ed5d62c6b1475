import { existsSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import {
  codeFrame,
  InvalidDocumentError,
  isObject,
  linesOf,
  locateProblems,
  type Problem,
  parseJson,
  readSource,
  readText,
  type Source,
  type UnlocatedProblem,
} from '@understudy/kit';
import { parseCsv } from './csv.js';
import type { Values } from './fill.js';

/** One line of `[[each]]`. */
export interface Row {
  /** What names it: its `name`, else its first value. */
  name: string;
  index: number;
  values: Values;
}

type Locate = (findings: readonly UnlocatedProblem[]) => Problem[];

/** What `each` gives, and how a problem of a row (its number first in the path) finds its place. */
interface Given {
  rows: readonly unknown[];
  locate: Locate;
}

/** Reads the rows of a rehearsal, in its file or in one of their own. Throws with all that is wrong with them. */
export function readRows(source: Source, each: unknown, file: string): Row[] {
  const { rows, locate } = typeof each === 'string' ? rowsOfFile(source, each, file) : rowsIn(source, each);
  const findings: UnlocatedProblem[] = [];
  if (rows.length === 0) {
    const fix = 'Add a row: a table with a value for each `{{name}}`.';
    findings.push({ code: 'MISSING_FIELD', message: '`each` has no rows, so nothing would run', fix, path: [] });
  }
  const read = rows.flatMap((row, index) => {
    const wrong = problemsOf(row, index);
    findings.push(...wrong);
    return wrong.length === 0 ? [{ name: nameOf(row as Values), index, values: row as Values }] : [];
  });
  if (findings.length === 0) findings.push(...doubles(read));
  if (findings.length > 0) throw new InvalidDocumentError('SCENARIO_INVALID', file, locate(findings));
  return read;
}

function rowsIn(source: Source, each: unknown): Given {
  const locate: Locate = (findings) =>
    locateProblems(
      source,
      findings.map((finding) => ({ ...finding, path: ['each', ...finding.path] })),
    );
  if (Array.isArray(each)) return { rows: each, locate };
  const message = '`each` must be a list of tables, or the path of a CSV, TOML, YAML or JSON file';
  const fix = 'Write `[[each]]` before each row.';
  throw new InvalidDocumentError(
    'SCENARIO_INVALID',
    source.file ?? 'the rehearsal',
    locate([{ code: 'WRONG_TYPE', message, fix, path: [] }]),
  );
}

function rowsOfFile(source: Source, path: string, rehearsal: string): Given {
  const file = resolve(dirname(rehearsal), path);
  if (!existsSync(file)) {
    const message = `there is no file ${path} beside the rehearsal`;
    const fix = 'Check the path; it is relative to the rehearsal.';
    const [problem] = locateProblems(source, [{ code: 'FILE_NOT_FOUND', message, fix, path: ['each'] }]);
    throw new InvalidDocumentError('SCENARIO_INVALID', rehearsal, problem === undefined ? [] : [problem]);
  }
  if (extname(file).toLowerCase() === '.csv') return rowsOfCsv(file);
  const own = readSource(file);
  if (Array.isArray(own.value)) return { rows: own.value, locate: (findings) => locateProblems(own, findings) };
  return rowsIn(own, isObject(own.value) ? own.value['each'] : undefined);
}

/** The first line has the names. A cell that reads as a number, true or false is one where the whole value is its placeholder. */
function rowsOfCsv(file: string): Given {
  const text = readText(file).replace(/^\uFEFF/, '');
  const [head, ...lines] = parseCsv(text);
  const names = (head?.cells ?? []).map((name) => name.trim());
  const rows = lines.map(({ cells }) =>
    Object.fromEntries(
      names.flatMap((name, index) => (cells[index] === undefined ? [] : [[name, typedCell(cells[index])]])),
    ),
  );
  const all = linesOf(text);
  const locate: Locate = (findings) =>
    findings.map(({ path, ...finding }) => {
      const line = typeof path[0] === 'number' ? (lines[path[0]]?.line ?? 1) : 1;
      return { ...finding, path: path.join('.'), location: { file, line, column: 1 }, frame: codeFrame(all, line, 1) };
    });
  return { rows, locate };
}

function typedCell(cell: string): unknown {
  return /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/.test(cell) ? parseJson(cell) : cell;
}

function problemsOf(row: unknown, index: number): UnlocatedProblem[] {
  if (!isObject(row)) {
    return [{ code: 'WRONG_TYPE', message: 'a row must be a table', fix: 'Write a table of values.', path: [index] }];
  }
  const names = Object.keys(row);
  if (names.length === 0) {
    return [
      { code: 'MISSING_FIELD', message: 'this row is empty', fix: 'Give it values, or remove it.', path: [index] },
    ];
  }
  return names.flatMap((name): UnlocatedProblem[] => {
    const path = [index, name];
    // Numbers are the groups of a pattern.
    if (/^\w+$/.test(name) && !/^\d+$/.test(name)) return [];
    const message = `${JSON.stringify(name)} cannot be the name of a column`;
    return [{ code: 'INVALID_VALUE', message, fix: 'Use letters, digits and underscores, and a letter first.', path }];
  });
}

const LONGEST_NAME = 80;

function nameOf(values: Values): string {
  const name = values['name'] ?? Object.values(values)[0];
  const text = typeof name === 'object' ? JSON.stringify(name) : String(name);
  return text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME) || '(empty)';
}

function doubles(rows: readonly Row[]): UnlocatedProblem[] {
  const first = new Map<string, number>();
  return rows.flatMap(({ name }, index): UnlocatedProblem[] => {
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, index);
      return [];
    }
    const message = `the rows ${other + 1} and ${index + 1} are both named ${JSON.stringify(name)}`;
    return [{ code: 'INVALID_VALUE', message, fix: 'Give each a `name` of its own.', path: [index] }];
  });
}
