import { createHash } from 'node:crypto';

const LONGEST = 40;

/** What names a row in the name of a file: readable, and of no other row. */
export function rowPart(row: string | undefined): string {
  if (row === undefined) return '';
  const readable = row.replace(/[^\w-]+/g, '-').slice(0, LONGEST);
  return `.${readable === row ? row : `${readable}-${createHash('sha256').update(row).digest('hex').slice(0, 6)}`}`;
}
