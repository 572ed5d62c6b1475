import { shortenMiddle } from '@understudy/kit';

/** How much of a text is shown on each side of the place where it differs. */
const AROUND = 160;

/** A text of at most so many characters: the beginning and the end say most. */
export function shortened(text: string, longest: number): string {
  return shortenMiddle(text, longest, (left) => ` … [${left} characters left out] … `);
}

/** The part of a text where it has these words, or where it comes nearest to them. */
export function excerptAround(text: string, words: string, around = AROUND): string {
  const place = text.indexOf(words);
  const found = place === -1 ? nearest(text, words) : { start: place, end: place + words.length };
  if (found === undefined) return describeSections(text) ?? shortened(text, 2 * around);
  const from = Math.max(0, found.start - around);
  const to = Math.min(text.length, Math.min(found.end, found.start + around) + around);
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)}${to < text.length ? ' …' : ''}`;
}

/** Fewer characters are in nearly every text. */
const SHORTEST_START = 8;

/** Where the longest beginning of the words is, if enough of it is anywhere. */
function nearest(text: string, words: string): { start: number; end: number } | undefined {
  let [known, unknown] = [0, words.length];
  while (known + 1 < unknown) {
    const middle = Math.floor((known + unknown) / 2);
    if (text.includes(words.slice(0, middle))) known = middle;
    else unknown = middle;
  }
  if (known < SHORTEST_START) return undefined;
  const start = text.indexOf(words.slice(0, known));
  return { start, end: start + known };
}

const MOST_HEADINGS = 12;

/** The headings of a long text: they show which part is missing. */
function describeSections(text: string): string | undefined {
  const headings = text.match(/^#{1,6} .{1,60}/gm) ?? [];
  if (headings.length < 2 || text.length <= 2 * AROUND) return undefined;
  const more = headings.length > MOST_HEADINGS ? ' · …' : '';
  return `(${text.length} characters) ${headings.slice(0, MOST_HEADINGS).join(' · ')}${more}`;
}
