import { shortenMiddle } from '@understudy/kit';

const LONGEST = 300;

/** A text as evidence: in quotation marks, the middle left out when it is long. */
export function quote(text: string, longest = LONGEST): string {
  return `"${shortenMiddle(text.trim(), longest, () => ' … ')}"`;
}

/** The last lines that say something. */
export function lastLines(text: string, count = 3): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)
    .join('\n');
}

/** The first line that a pattern is found in, with the next few. */
export function linesFrom(text: string, pattern: RegExp, count = 1): string | undefined {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => pattern.test(line));
  return first === -1 ? undefined : lines.slice(first, first + count).join('\n');
}
