/** A line of a CSV file: its number, from 1, and its cells. */
export interface CsvLine {
  line: number;
  cells: string[];
}

/** The lines of a CSV file (RFC 4180): cells in quotation marks may have commas, line breaks and doubled quotation marks. */
export function parseCsv(text: string): CsvLine[] {
  const lines: CsvLine[] = [];
  let line = 1;
  let current: CsvLine = { line, cells: [] };
  for (const [whole, quoted, plain = '', end = ''] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    if (whole === '' && current.cells.length === 0) break;
    current.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    lines.push(current);
    current = { line, cells: [] };
    if (end === '') break;
  }
  // An empty line is no row.
  return lines.filter(({ cells }) => cells.some((cell) => cell !== ''));
}
