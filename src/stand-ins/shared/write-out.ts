import { writeSync } from 'node:fs';

/**
 * Writes all of a text to stdout or stderr, at once. `process.stdout` would bring half of Node's
 * stream machinery along, which a short run can do without.
 */
export function writeOut(descriptor: 1 | 2, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Nobody reads any more: there is no one to tell.
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      // The reader is slow, and gave us a pipe that does not wait.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
