import type { IBufferCell, Terminal } from '@xterm/headless';

/** The sixteen colors that have names, in the order of their numbers. */
const COLOR_NAMES = [
  ...(['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const),
  ...(['gray', 'bright red', 'bright green', 'bright yellow'] as const),
  ...(['bright blue', 'bright magenta', 'bright cyan', 'bright white'] as const),
] as const;

const BASIC = [
  ...['#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5'],
  ...['#666666', '#f14c4c', '#23d18b', '#f5f543', '#3b8eea', '#d670d6', '#29b8db', '#ffffff'],
];

/** How text looks. A color that is absent is the terminal's own. */
export interface Style {
  color: string | undefined;
  background: string | undefined;
  bold: boolean;
  italic: boolean;
  underline: boolean;
  dim: boolean;
  inverse: boolean;
}

/** Text of one look on one row; columns count from 0. */
export interface Run {
  column: number;
  text: string;
  width: number;
  style: Style;
}

/** The rows of a screen, each as runs of one look. */
export function screenRuns({ cols, rows, buffer: { active } }: Terminal): Run[][] {
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.viewportY + row);
    if (line === undefined) return [];
    return runsOf(Array.from({ length: cols }, (_, column) => line.getCell(column)));
  });
}

/** Whether a color can be written like this. */
export function isColor(written: string): boolean {
  return COLOR_NAMES.some((name) => name === written) || /^#[0-9a-f]{6}$/i.test(written);
}

/** A color as it is written in an expectation: a name, or `#rrggbb`. */
export function hexColor(written: string): string {
  const number = (COLOR_NAMES as readonly string[]).indexOf(written);
  return BASIC[number] ?? written.toLowerCase();
}

/** A color as people say it. */
export function colorName(hex: string): string {
  return COLOR_NAMES[BASIC.indexOf(hex)] ?? hex;
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
  return runs;
}

function styleOf(cell: IBufferCell): Style {
  return {
    color: colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    background: colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}

function sameStyle(a: Style, b: Style): boolean {
  return (Object.keys(a) as (keyof Style)[]).every((key) => a[key] === b[key]);
}

function colorOf(isRgb: boolean, isPalette: boolean, value: number): string | undefined {
  if (isRgb) return hex(value >> 16, (value >> 8) & 255, value & 255);
  if (!isPalette) return undefined;
  if (value < 16) return BASIC[value];
  if (value >= 232) {
    const gray = 8 + (value - 232) * 10;
    return hex(gray, gray, gray);
  }
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = value - 16;
  return hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

function hex(...parts: number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
