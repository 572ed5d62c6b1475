import type { EntryResult } from '../../results/entry-result.js';
import { type MatrixCell, matrixOf } from '../../results/matrix.js';
import { code, table } from './text.js';

/** Tests against targets; nothing where there is one target or none. */
export function targetTable(entries: readonly EntryResult[]): string {
  const matrix = matrixOf(entries);
  if (matrix === undefined) return '';
  const rows = matrix.rows.map(({ name, cells }) => [code(name), ...cells.map(describeCell)]);
  return `### By target\n\n${table(['Test', ...matrix.targets], rows)}`;
}

function describeCell(cell: MatrixCell | undefined): string {
  if (cell === undefined) return '';
  return cell.total === 1 ? cell.status : `${cell.status}, ${cell.passed} of ${cell.total} passed`;
}
