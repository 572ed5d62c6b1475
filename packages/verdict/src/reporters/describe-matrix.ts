import { countOf, cut, paint } from '@understudy/kit';
import { type MatrixCell, matrixOf } from '../results/matrix.js';
import type { RunResult } from '../results/run-result.js';
import { MARKS } from './describe-result.js';

/** On a terminal, more tests are shown only where something is not green. */
const MOST_ROWS = 20;
const LONGEST_NAME = 200;

/** Tests against targets, the name behind the marks: nothing where there is one target or none. */
export function describeMatrix({ entries }: Pick<RunResult, 'entries'>): string[] {
  const matrix = matrixOf(entries);
  if (matrix === undefined) return [];
  const { targets, rows } = matrix;
  const isGreen = (cell: MatrixCell | undefined) => cell === undefined || cell.status === 'passed';
  const shown = rows.length <= MOST_ROWS ? rows : rows.filter(({ cells }) => !cells.every(isGreen)).slice(0, MOST_ROWS);
  const widths = targets.map((target, index) =>
    Math.max(target.length, ...shown.map(({ cells }) => 1 + countIn(cells[index]).length)),
  );
  const columns = targets.map((target, index) => paint.bold(target) + space(widths[index], target.length));
  const rest = rows.length - shown.length;
  return [
    '',
    `  ${columns.join('  ').trimEnd()}`,
    ...shown.map(({ name, cells }) => {
      const marks = cells.map((cell, index) => describeCell(cell, widths[index]));
      return `  ${marks.join('  ')}  ${cut(name, LONGEST_NAME)}`;
    }),
    ...(rest > 0 ? [paint.dim(`  and ${countOf(rest, 'more test')}; the other reports have all of them`)] : []),
  ];
}

function describeCell(cell: MatrixCell | undefined, width = 1): string {
  if (cell === undefined) return space(width, 0);
  const count = countIn(cell);
  return MARKS[cell.status] + count + space(width, 1 + count.length);
}

/** Of several agents, versions or models in one target, how many passed. */
function countIn(cell: MatrixCell | undefined): string {
  return cell === undefined || cell.total === 1 ? '' : ` ${cell.passed}/${cell.total}`;
}

function space(width = 0, taken: number): string {
  return ' '.repeat(Math.max(0, width - taken));
}
