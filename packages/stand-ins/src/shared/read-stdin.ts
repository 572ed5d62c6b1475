import { fstatSync, readFileSync } from 'node:fs';
import { recordStream } from './record-call.js';

/** What was piped or redirected into us. Empty on a terminal, or when stdin is closed. */
export function readStdin(): string {
  try {
    const stat = fstatSync(0);
    if (!stat.isFIFO() && !stat.isFile() && !stat.isSocket()) return '';
    const text = readFileSync(0, 'utf8');
    recordStream('stdin', text);
    return text;
  } catch {
    return '';
  }
}
