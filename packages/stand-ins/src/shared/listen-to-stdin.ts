import { read } from 'node:fs';
import { recordStream } from './record-call.js';

export interface StdinListener {
  onChunk(chunk: Buffer): void;
  /** It is called once, unless the listener was removed before. */
  onEnd(): void;
}

/** Passes on what comes in, piece by piece. The returned function removes the listener, and lets go of stdin. */
export function listenToStdin({ onChunk, onEnd }: StdinListener): () => void {
  const listener: StdinListener = {
    onChunk(chunk) {
      recordStream('stdin', chunk);
      onChunk(chunk);
    },
    onEnd,
  };
  // In a compiled program `process.stdin` takes as long to load as all the rest of a short run. Node could not end while
  // it waits for such a read.
  return process.versions['bun'] === undefined ? listenToStream(listener) : readOnAndOn(listener);
}

function listenToStream({ onChunk, onEnd }: StdinListener): () => void {
  const { stdin } = process;
  const remove = (): void => {
    stdin.removeAllListeners();
    stdin.destroy();
  };
  const end = (): void => {
    remove();
    onEnd();
  };
  stdin.on('data', onChunk);
  stdin.once('end', end);
  stdin.once('error', end);
  return remove;
}

const PIECE = 65_536;

function readOnAndOn(listener: StdinListener): () => void {
  let isRemoved = false;
  let remove = (): void => {
    isRemoved = true;
  };
  const buffer = Buffer.allocUnsafe(PIECE);
  const readNext = (): void => {
    read(0, buffer, 0, PIECE, null, (error, count) => {
      if (isRemoved) return;
      // Whoever started us made it a pipe that does not wait.
      if (error?.code === 'EAGAIN') {
        remove = listenToStream(listener);
        return;
      }
      if (error !== null || count === 0) return listener.onEnd();
      listener.onChunk(Buffer.from(buffer.subarray(0, count)));
      if (!isRemoved) readNext();
    });
  };
  readNext();
  return () => remove();
}
