import { fstatSync, readFileSync } from 'node:fs';

/** What was piped or redirected into us. Empty on a terminal, or when stdin is closed. */
export function readStdin(): string {
  try {
    const stat = fstatSync(0);
    if (!stat.isFIFO() && !stat.isFile() && !stat.isSocket()) return '';
    return readFileSync(0, 'utf8');
  } catch {
    return '';
  }
}
