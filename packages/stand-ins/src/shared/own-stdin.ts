import { isatty } from 'node:tty';
import { readStdin } from './read-stdin.js';

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
