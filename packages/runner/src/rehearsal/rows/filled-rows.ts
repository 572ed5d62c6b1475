import {
  formatPath,
  InvalidDocumentError,
  isObject,
  locateProblems,
  nearestWord,
  type Path,
  type Source,
  type UnlocatedProblem,
} from '@understudy/kit';
import { eachText, fill, filledText, placeholdersIn } from './fill.js';
import { type Row, readRows } from './read-rows.js';

/** A document for each row, with the values of the row in it. */
export interface FilledRow {
  row: Row;
  /** The name of the rehearsal, with that of the row. */
  name: string | undefined;
  value: Record<string, unknown>;
}

/** The rows of a document; nothing where it has no `each`. `check` throws what is wrong with a filled document. */
export function filledRows<T>(source: Source, file: string, make: (filled: FilledRow) => T): T[] | undefined {
  if (!isObject(source.value) || source.value['each'] === undefined) return undefined;
  const { each, ...template } = source.value;
  const rows = readRows(source, each, file);
  const findings = reviewPlaceholders(template, rows);
  if (findings.length > 0) {
    throw new InvalidDocumentError('SCENARIO_INVALID', file, locateProblems(source, findings));
  }
  return rows.map((row) => {
    try {
      return makeTyped(template, row, make);
    } catch (error) {
      throw ofRow(error, row);
    }
  });
}

/** A number where a text is wanted is its text: `says = "{{status}}"` with 404. */
function makeTyped<T>(template: Record<string, unknown>, row: Row, make: (filled: FilledRow) => T): T {
  const typed: Path[] = [];
  try {
    return make(filledOf(template, row, { asText: () => false, typed }));
  } catch (error) {
    const wrong = error instanceof InvalidDocumentError ? error.problems.map(({ path }) => path) : [];
    const texts = new Set(typed.map(formatPath).filter((path) => wrong.includes(path)));
    if (texts.size === 0) throw error;
    return make(filledOf(template, row, { asText: (path) => texts.has(formatPath(path)), typed: [] }));
  }
}

function filledOf(template: Record<string, unknown>, row: Row, how: Parameters<typeof fill>[2]): FilledRow {
  const value = fill(template, row.values, how) as Record<string, unknown>;
  const { name } = template;
  if (typeof name !== 'string') return { row, name: undefined, value };
  const own = filledText(name, row.values);
  return { row, name: own === name ? `${name} [${row.name}]` : own, value: { ...value, name: own } };
}

function ofRow(error: unknown, { name }: Row): unknown {
  if (!(error instanceof InvalidDocumentError)) return error;
  const problems = error.problems.map((one) => ({ ...one, message: `${one.message} (row ${JSON.stringify(name)})` }));
  return new InvalidDocumentError(error.code, error.location?.file ?? 'the rehearsal', problems);
}

/** Where a `{{name}}` can only be that of a row. Elsewhere (answers, files of a project) it may be of something else. */
const OF_ROWS = /^(?:name|steps\[\d+\]\.(?:name|send|run|stdin|expect)|responses\[\d+\]\.(?:pattern|when))\b/;

/** Values that a rehearsal has without rows. */
const OURS = ['url', 'here', 'project', 'port'];

function reviewPlaceholders(template: Record<string, unknown>, rows: readonly Row[]): UnlocatedProblem[] {
  const columns = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const findings: UnlocatedProblem[] = [];
  let isUsed = false;
  eachText(template, (text, path) => {
    for (const name of new Set(placeholdersIn(text))) {
      if (columns.includes(name)) {
        isUsed = true;
        const without = rows.filter(({ values }) => values[name] === undefined).map((row) => JSON.stringify(row.name));
        if (without.length === 0) continue;
        findings.push({
          code: 'MISSING_FIELD',
          message: `no value for \`{{${name}}}\` in ${without.length === 1 ? 'the row' : 'the rows'} ${without.slice(0, 5).join(', ')}`,
          fix: `Add \`${name}\` to each row.`,
          path,
        });
      } else if (!OURS.includes(name) && !/^\d+$/.test(name) && OF_ROWS.test(formatPath(path))) {
        const near = nearestWord(name, columns);
        findings.push({
          code: 'UNKNOWN_PLACEHOLDER',
          message: `no row has a value for \`{{${name}}}\``,
          fix: near === undefined ? `Use one of ${columns.join(', ')}.` : `Change it to \`{{${near}}}\`.`,
          path,
        });
      }
    }
  });
  if (isUsed || findings.length > 0) return findings;
  const fix = `Write \`{{${columns[0]}}}\` where the rows differ.`;
  return [{ code: 'NO_EFFECT', message: 'nothing uses the rows, so all would be the same', fix, path: ['each'] }];
}
