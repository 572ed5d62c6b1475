import type { LinearRegex } from '@understudy/script';

/** A text with what was found in it. */
export interface MatchedText {
  lines: readonly string[];
  /** The lines with a match, from 0, in their order. */
  matched: ReadonlySet<number>;
  /** How many lines have one. */
  count: number;
}

/** Finds the lines of a text that match, or nothing. */
export function matchLines(content: string, pattern: LinearRegex): MatchedText | undefined {
  if (content === '') return undefined;
  const lines = (content.endsWith('\n') ? content.slice(0, -1) : content).split('\n').map(withoutReturn);
  const matched = new Set(lines.flatMap((line, at) => (pattern.test(line) ? [at] : [])));
  return matched.size === 0 ? undefined : { lines, matched, count: matched.size };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
