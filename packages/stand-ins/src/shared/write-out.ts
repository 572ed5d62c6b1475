import { writeSync } from 'node:fs';
import { recordStream } from './record-call.js';

/**
 * Writes a whole text to stdout or stderr before it returns. `process.stdout` would load Node's stream
 * modules, which a short run does not need.
 */
export function writeOut(descriptor: 1 | 2, text: string): void {
  let rest: Uint8Array = Buffer.from(text);
  recordStream(descriptor === 1 ? 'stdout' : 'stderr', rest);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The reader has closed the pipe.
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
      // The reader is slow, and the pipe does not block.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
