const LONGEST = 300;

/** A text for a report; a long one is cut. */
export function cutText(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}
