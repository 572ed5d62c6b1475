import { shorten } from '@understudy/kit';

const LONGEST = 300;
const SHOWN_LINES = 12;

/** A text for a report; a long one is cut. */
export function cutText(text: string): string {
  return shorten(text, LONGEST, `… (${text.length} characters)`);
}

/** The end of what was printed, as evidence. */
export function lastLines(text: string): string[] {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  return lines.length === 0 ? [] : [lines.slice(-SHOWN_LINES).join('\n')];
}
