import type { Terminal } from '@xterm/headless';
import { type Run, screenRuns } from './screen-runs.js';

const CELL = { width: 8.4, height: 18 };
const INK = '#d8d8d8';
const PAPER = '#1b1b1b';

/** Draws a terminal's screen as SVG: text stays text, so that a report can search it. */
export function drawScreen(terminal: Terminal): string {
  const { cols, rows } = terminal;
  const body = screenRuns(terminal)
    .map((runs, row) => runs.map((run) => drawRun(run, row)).join(''))
    .join('');
  const [width, height] = [Math.ceil(cols * CELL.width), rows * CELL.height];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="100%" height="100%" fill="${PAPER}"/>` +
    `<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14" xml:space="preserve">${body}</g></svg>\n`
  );
}

function drawRun({ column, text, width, style }: Run, row: number): string {
  const [x, y] = [round(column * CELL.width), row * CELL.height];
  const [ink, paper] = style.inverse
    ? [style.background ?? PAPER, style.color ?? INK]
    : [style.color ?? INK, style.background ?? PAPER];
  const box =
    paper === PAPER
      ? ''
      : `<rect x="${x}" y="${y}" width="${round(width * CELL.width)}" height="${CELL.height}" fill="${paper}"/>`;
  if (text.trim() === '') return box;
  const marks = [
    style.bold ? ' font-weight="bold"' : '',
    style.italic ? ' font-style="italic"' : '',
    style.underline ? ' text-decoration="underline"' : '',
    style.dim ? ' opacity="0.6"' : '',
  ].join('');
  return `${box}<text x="${x}" y="${y + 14}" fill="${ink}" textLength="${round(width * CELL.width)}"${marks}>${escapeXml(text)}</text>`;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
