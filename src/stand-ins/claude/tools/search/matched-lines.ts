import type { LinearRegex } from '../../../../scenario/linear-regex.js';

/** A text with what was found in it. */
export interface MatchedText {
  lines: readonly string[];
  /** The lines with a match, from 0, each with its matches where those are wanted. */
  matched: ReadonlyMap<number, readonly string[]>;
  /** How often it was found: in a line it counts once, unless matches may span lines. */
  count: number;
}

/** Finds the lines of a text that match, or nothing. */
export function matchLines(content: string, pattern: LinearRegex, spansLines: boolean): MatchedText | undefined {
  const lines = (content.endsWith('\n') ? content.slice(0, -1) : content).split('\n').map(withoutReturn);
  if (content === '') return undefined;
  return spansLines ? matchWhole(content, lines, pattern) : matchEach(lines, pattern);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function matchEach(lines: readonly string[], pattern: LinearRegex): MatchedText | undefined {
  const matched = new Map<number, readonly string[]>();
  for (const [at, line] of lines.entries())
    if (pattern.test(line))
      matched.set(
        at,
        pattern.ranges(line).map(([from, to]) => line.slice(from, to)),
      );
  return matched.size === 0 ? undefined : { lines, matched, count: matched.size };
}

function matchWhole(content: string, lines: readonly string[], pattern: LinearRegex): MatchedText | undefined {
  const ranges = pattern.ranges(content).filter(([from]) => from < content.length);
  if (ranges.length === 0) return undefined;
  const starts = [0];
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset);
  const matched = new Map<number, readonly string[]>();
  for (const [from, to] of ranges) {
    const [first, last] = [lineAt(from), lineAt(Math.max(from, to - 1))];
    for (let at = first; at <= last && at < lines.length; at++)
      matched.set(at, [...(matched.get(at) ?? []), lines[at] ?? '']);
  }
  return { lines, matched, count: ranges.length };
}
