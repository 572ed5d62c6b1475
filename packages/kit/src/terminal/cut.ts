/** What a cut text ends with: the same always, or by how many characters were left out. */
type Mark = string | ((left: number) => string);

/** The beginning of a text, and a mark where more follows. */
export function shorten(text: string, longest: number, mark: Mark = '…'): string {
  if (text.length <= longest) return text;
  // Half of a pair would be no character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1)) ? longest - 1 : longest;
  return `${text.slice(0, end)}${typeof mark === 'string' ? mark : mark(text.length - end)}`;
}

/** The beginning of a text on one line. */
export function shortenLine(text: string, longest = 160): string {
  return shorten(oneSpaced(text), longest);
}

/** The beginning and the end of a text, which say most. */
export function shortenMiddle(text: string, longest: number, mark: (left: number) => string): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  return `${text.slice(0, half)}${mark(text.length - 2 * half)}${text.slice(text.length - half)}`;
}

/** A text on one line, with one space where it has any. */
export function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A text of at most so many characters; what was left out is counted. */
export function cut(text: string, limit: number): string {
  return shorten(text, limit, (left) => `… [${left} more characters]`);
}

/** A text of at most so many lines, each of at most so many characters; what was left out is counted. */
export function cutLines(text: string, lines: number, width: number): string[] {
  // Cut before it is taken apart: a text may have millions of lines.
  const all = text.slice(0, lines * (width + 1) * 4).split('\n');
  const shown = all.slice(0, lines).map((line) => cut(line, width));
  const rest = text.length - all.slice(0, lines).join('\n').length;
  return all.length > lines || rest > 1 ? [...shown, `… [${rest} more characters]`] : shown;
}

/** Every text of a value, cut where it is longer. */
export function cutTexts<T>(value: T, limit: number): T {
  if (typeof value === 'string') return cut(value, limit) as T;
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, limit)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, limit)])) as T;
}
