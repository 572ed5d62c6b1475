/** A text of at most so many characters; what was left out is counted. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Half of a pair would be no character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}… [${text.length - end} more characters]`;
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
