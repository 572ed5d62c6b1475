import type { EntryResult } from '@understudy/verdict';

/** Tests as text, as many as there is room for. */
export interface Described {
  shown: string[];
  /** Those for which there was no room. */
  left: string[];
  /** How long a single text may be; undefined when none was cut. */
  longest: number | undefined;
  bytes: number;
}

/** Describes tests in so many bytes: all of them with the most detail that fits, else as many as fit with the least. */
export function fitAll(
  entries: readonly EntryResult[],
  details: readonly number[],
  describe: (entry: EntryResult, longest: number) => string,
  room: number,
): Described {
  const sized = (longest: number) => entries.map((entry) => withSize(describe(entry, longest)));
  const whole = sized(Number.POSITIVE_INFINITY);
  for (const longest of details) {
    const texts = sized(longest);
    const bytes = total(texts);
    if (bytes > room) continue;
    const uncut = texts.every(({ text }, index) => text === whole[index]?.text);
    return { shown: texts.map(({ text }) => text), left: [], longest: uncut ? undefined : longest, bytes };
  }
  const longest = details.at(-1) ?? 0;
  const shown: string[] = [];
  const left: string[] = [];
  let bytes = 0;
  for (const [index, { text, size }] of sized(longest).entries()) {
    if (bytes + size <= room) {
      shown.push(text);
      bytes += size;
    } else left.push(entries[index]?.id ?? '');
  }
  return { shown, left, longest, bytes };
}

/** The size includes the empty line that follows. */
function withSize(text: string): { text: string; size: number } {
  return { text, size: Buffer.byteLength(text) + 2 };
}

function total(texts: readonly { size: number }[]): number {
  return texts.reduce((sum, { size }) => sum + size, 0);
}
