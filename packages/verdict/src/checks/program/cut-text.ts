import { shorten } from '@understudy/kit';

const LONGEST = 300;

/** A text for a report; a long one is cut. */
export function cutText(text: string): string {
  return shorten(text, LONGEST, `… (${text.length} characters)`);
}
