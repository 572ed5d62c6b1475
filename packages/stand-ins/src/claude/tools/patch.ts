import { structuredPatch as compareLines } from 'diff';

/** One hunk of the `structuredPatch` of an edit. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

const CONTEXT = 3;

/** The difference between two texts, as the CLI shows it: tabs are two spaces. */
export function structuredPatch(before: string, after: string): Hunk[] {
  const [old, now] = [before, after].map((text) => text.replaceAll('\t', '  ')) as [string, string];
  const { hunks } = compareLines('', '', old, now, undefined, undefined, { context: CONTEXT });
  return hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    ...{ oldStart, oldLines, newStart, newLines },
    lines,
  }));
}
