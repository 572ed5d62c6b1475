/** One hunk of the `structuredPatch` of an edit. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

const CONTEXT = 3;

/** The difference between two texts: one hunk from the first line that differs to the last, with context. */
export function structuredPatch(before: string, after: string): Hunk[] {
  if (before === after) return [];
  const old = toLines(before);
  const now = toLines(after);
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  )
    tail++;
  const from = Math.max(0, head - CONTEXT);
  const oldEnd = Math.min(old.length, old.length - tail + CONTEXT);
  const newEnd = Math.min(now.length, now.length - tail + CONTEXT);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, oldEnd).map((line) => ` ${line}`),
  ];
  if (after !== '' && !after.endsWith('\n')) lines.push('\\ No newline at end of file');
  return [{ oldStart: from + 1, oldLines: oldEnd - from, newStart: from + 1, newLines: newEnd - from, lines }];
}

/** How many lines a patch adds and removes. */
export function countChanges(hunks: readonly Hunk[]): { linesAdded: number; linesRemoved: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    linesAdded: lines.filter((line) => line.startsWith('+')).length,
    linesRemoved: lines.filter((line) => line.startsWith('-')).length,
  };
}

function toLines(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
