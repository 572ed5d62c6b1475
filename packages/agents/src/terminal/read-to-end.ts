import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import type { IPty } from '@lydell/node-pty';

/** More than a kernel holds of a terminal; what a program leaves running may print for ever. */
const MOST_BYTES = 1024 * 1024;

/**
 * A terminal that gives all that was printed until the program ended. When nobody has the terminal open any more, Node
 * takes the first short read for the end (libuv, on a hang-up), and on a busy machine most of the output is lost. So we
 * have it open ourselves. node-pty closes its side 200 ms after the end of the program, read or not: we read the rest.
 */
export function readToEnd(pty: IPty): IPty {
  const { _socket: socket, _pty: path, fd } = pty as unknown as { _socket: ReadStream; _pty: string; fd: number };
  const held = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  const { destroy } = socket;
  socket.destroy = (error) => {
    socket.destroy = destroy;
    for (const rest of restOf(fd)) socket.push(rest);
    // Reported now, also where reading was paused.
    while (socket.read() !== null);
    closeSync(held);
    return socket.destroy(error);
  };
  return pty;
}

function* restOf(fd: number): Generator<Buffer> {
  for (let total = 0; total < MOST_BYTES; ) {
    const chunk = Buffer.alloc(64 * 1024);
    let length = 0;
    try {
      length = readSync(fd, chunk);
    } catch {
      // EAGAIN: there is no more.
    }
    if (length === 0) return;
    total += length;
    yield chunk.subarray(0, length);
  }
}
