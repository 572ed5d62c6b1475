import type { LinearRegex } from '../../../../scenario/linear-regex.js';

/** A text with what was found in it. */
export interface MatchedText {
  lines: readonly string[];
  /** The lines with a match, from 0, in their order. */
  matched: ReadonlySet<number>;
  /** How often it was found: in a line it counts once, unless matches may span lines. */
  count: number;
}

/** Finds the lines of a text that match, or nothing. */
export function matchLines(content: string, pattern: LinearRegex, spansLines: boolean): MatchedText | undefined {
  if (content === '') return undefined;
  const lines = (content.endsWith('\n') ? content.slice(0, -1) : content).split('\n').map(withoutReturn);
  if (spansLines) return matchWhole(content, lines, pattern);
  const matched = new Set(lines.flatMap((line, at) => (pattern.test(line) ? [at] : [])));
  return matched.size === 0 ? undefined : { lines, matched, count: matched.size };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function matchWhole(content: string, lines: readonly string[], pattern: LinearRegex): MatchedText | undefined {
  const ranges = pattern.ranges(content).filter(([from]) => from < content.length);
  if (ranges.length === 0) return undefined;
  const starts = [0];
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset);
  const matched = new Set<number>();
  for (const [from, to] of ranges)
    for (let at = lineAt(from); at <= lineAt(Math.max(from, to - 1)) && at < lines.length; at++) matched.add(at);
  return { lines, matched, count: ranges.length };
}
