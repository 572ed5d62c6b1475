import type { IBufferCell, Terminal } from '@xterm/headless';

const CELL = { width: 8.4, height: 18 };
const INK = '#d8d8d8';
const PAPER = '#1b1b1b';

const BASIC = [
  ...['#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5'],
  ...['#666666', '#f14c4c', '#23d18b', '#f5f543', '#3b8eea', '#d670d6', '#29b8db', '#ffffff'],
];

interface Style {
  ink: string;
  paper: string;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  dim: boolean;
}

interface Run {
  column: number;
  text: string;
  width: number;
  style: Style;
}

/** Draws a terminal's screen as SVG: text stays text, so that a report can search it. */
export function drawScreen(terminal: Terminal): string {
  const { cols, rows } = terminal;
  const { active } = terminal.buffer;
  const body = Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    if (line === undefined) return '';
    const cells = Array.from({ length: cols }, (_, column) => line.getCell(column));
    return runsOf(cells)
      .map((run) => drawRun(run, row))
      .join('');
  }).join('');
  const [width, height] = [Math.ceil(cols * CELL.width), rows * CELL.height];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="100%" height="100%" fill="${PAPER}"/>` +
    `<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">${body}</g></svg>\n`
  );
}

function runsOf(cells: readonly (IBufferCell | undefined)[]): Run[] {
  const runs: Run[] = [];
  cells.forEach((cell, column) => {
    // The second half of a wide character is a cell without width.
    if (cell === undefined || cell.getWidth() === 0) return;
    const style = styleOf(cell);
    const text = cell.getChars() || ' ';
    const last = runs.at(-1);
    if (last !== undefined && last.column + last.width === column && sameStyle(last.style, style)) {
      last.text += text;
      last.width += cell.getWidth();
    } else runs.push({ column, text, width: cell.getWidth(), style });
  });
  return runs.filter(({ text, style }) => text.trim() !== '' || style.paper !== PAPER);
}

function drawRun({ column, text, width, style }: Run, row: number): string {
  const [x, y] = [round(column * CELL.width), row * CELL.height];
  const box =
    style.paper === PAPER
      ? ''
      : `<rect x="${x}" y="${y}" width="${round(width * CELL.width)}" height="${CELL.height}" fill="${style.paper}"/>`;
  if (text.trim() === '') return box;
  const marks = [
    style.bold ? ' font-weight="bold"' : '',
    style.italic ? ' font-style="italic"' : '',
    style.underline ? ' text-decoration="underline"' : '',
    style.dim ? ' opacity="0.6"' : '',
  ].join('');
  return `${box}<text x="${x}" y="${y + 14}" fill="${style.ink}" textLength="${round(width * CELL.width)}"${marks}>${escapeXml(text)}</text>`;
}

function styleOf(cell: IBufferCell): Style {
  const ink = colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()) ?? INK;
  const paper = colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()) ?? PAPER;
  const inverse = cell.isInverse() !== 0;
  return {
    ink: inverse ? paper : ink,
    paper: inverse ? ink : paper,
    bold: cell.isBold() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    dim: cell.isDim() !== 0,
  };
}

function sameStyle(a: Style, b: Style): boolean {
  return (Object.keys(a) as (keyof Style)[]).every((key) => a[key] === b[key]);
}

function colorOf(isRgb: boolean, isPalette: boolean, value: number): string | undefined {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`;
  if (!isPalette) return undefined;
  if (value < 16) return BASIC[value];
  if (value >= 232)
    return `rgb(${Array(3)
      .fill(8 + (value - 232) * 10)
      .join(',')})`;
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = value - 16;
  return `rgb(${level(Math.floor(cube / 36))},${level(Math.floor(cube / 6) % 6)},${level(cube % 6)})`;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
