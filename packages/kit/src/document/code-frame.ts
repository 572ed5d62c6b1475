const CONTEXT = 2;
const MAX_WIDTH = 160;

/** The lines of a text, for {@link codeFrame}: a text with many problems is split once. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** The lines around a position, numbered, with a marker below the column. */
export function codeFrame(lines: readonly string[], line: number, column: number): string {
  const first = Math.max(1, line - CONTEXT);
  const last = Math.min(lines.length, line + CONTEXT);
  const width = String(last).length;
  const frame: string[] = [];
  for (let number = first; number <= last; number++) {
    // A line can be very long, as in minified JSON: show the part around the column.
    const skipped = number === line ? Math.max(0, column - MAX_WIDTH / 2) : 0;
    const content = (lines[number - 1] ?? '').replaceAll('\t', ' ').slice(skipped, skipped + MAX_WIDTH);
    frame.push(`${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${content}`.trimEnd());
    if (number === line) frame.push(`  ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1 - skipped))}^`);
  }
  return frame.join('\n');
}
