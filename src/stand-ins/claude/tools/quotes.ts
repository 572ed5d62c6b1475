const CURLY = /[\u2018\u2019\u201C\u201D]/g;
const STRAIGHT: Readonly<Record<string, string>> = { '\u2018': "'", '\u2019': "'", '\u201C': '"', '\u201D': '"' };
/** Behind these a quotation mark opens. */
const OPENS_BEHIND = /(?:^|[\s([{\u2014\u2013])$/;

function straightened(text: string): string {
  return text.replace(CURLY, (mark) => STRAIGHT[mark] ?? mark);
}

/** The text that an edit means: as it is written, or else with other quotation marks. */
export function meantText(content: string, written: string): string | undefined {
  if (content.includes(written)) return written;
  const at = straightened(content).indexOf(straightened(written));
  return at === -1 ? undefined : content.slice(at, at + written.length);
}

/** What takes the place of a text with curly marks has such marks, too. */
export function withMarksLike(meant: string, written: string, replacement: string): string {
  if (meant === written) return replacement;
  const [single, double] = [/[\u2018\u2019]/.test(meant), /[\u201C\u201D]/.test(meant)];
  return replacement.replace(/["']/g, (mark, at: number) => {
    const opens = OPENS_BEHIND.test(replacement.slice(0, at));
    if (mark === '"') return double ? (opens ? '\u201C' : '\u201D') : mark;
    return single ? (opens ? '\u2018' : '\u2019') : mark;
  });
}
