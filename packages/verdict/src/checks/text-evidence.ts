/** `"a", "b"`, or a word for none of them. */
export function quotedList(items: readonly string[], none = 'nothing'): string {
  return items.length === 0 ? none : items.map((item) => JSON.stringify(item)).join(', ');
}

/** The text around a place, in one line, with a sign where it is cut. */
export function contextAround(text: string, start: number, end: number, reach = 40): string {
  const from = Math.max(0, start - reach);
  const to = Math.min(text.length, end + reach);
  const cut = text.slice(from, to).replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`;
}
