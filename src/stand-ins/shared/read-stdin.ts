import { fstatSync, readFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { recordStream } from './record-call.js';

/** Where a program's input comes from. */
export interface Stdin {
  isTerminal: boolean;
  /** What was piped or redirected into it. */
  read(): string;
}

/** The input of this process. */
export function ownStdin(): Stdin {
  return { isTerminal: isatty(0), read: readStdin };
}

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
