import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { formatHolder, ownHolder } from './holder.js';

/** The descriptors of a pipe. */
export interface Pipe {
  read: number;
  write: number;
}

/** To make many takes no longer than to make one: a program has to be started for it. */
const AT_ONCE = 16;

/** Pipes that nobody has used yet. */
const ready: Pipe[] = [];

/**
 * Pipes for what a child prints. What Node calls a pipe is a pair of sockets, and Linux does not open a socket by a path:
 * `tee /dev/stderr` fails behind one. Undefined where there are none, and where that path is a copy of the descriptor
 * (macOS): there the sockets of Node do. Not for what a child reads: to open a named pipe waits for somebody who writes,
 * and who wrote a prompt has gone.
 */
export function takePipes(count: number): Pipe[] | undefined {
  if (process.platform !== 'linux') return undefined;
  if (ready.length < count) ready.push(...makePipes());
  return ready.length < count ? undefined : ready.splice(-count);
}

/** What is written into a pipe. The other end is the child's alone from now on. */
export function readFrom({ read, write }: Pipe, isPolled = process.versions['bun'] !== undefined): Readable {
  closeSync(write);
  return isPolled ? polled(read) : new Socket({ fd: read, readable: true, writable: false });
}

export function closePipe({ read, write }: Pipe): void {
  closeSync(read);
  closeSync(write);
}

/** Named pipes lose their names as soon as they are open: then they are as others. */
function makePipes(): Pipe[] {
  const pipes: Pipe[] = [];
  // If we are killed in between, the next run knows by the name that it is ours.
  const folder = mkdtempSync(join(tmpdir(), `understudy-${formatHolder(ownHolder())}-p-`));
  try {
    const paths = Array.from({ length: AT_ONCE }, (_, index) => join(folder, String(index)));
    spawnSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' });
    for (const path of paths) pipes.push(openPipe(path));
  } catch {
    // No such program, or too many open files: then the start of the child says so.
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return pipes;
}

function openPipe(path: string): Pipe {
  // To open one end waits for the other.
  const both = openSync(path, constants.O_RDWR);
  try {
    const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return { read, write: openSync(path, constants.O_WRONLY) };
    } catch (error) {
      closeSync(read);
      throw error;
    }
  } finally {
    closeSync(both);
  }
}

const LONGEST_PAUSE_MS = 16;

/** Bun makes no socket of a descriptor, and a read that waits would keep one of its few threads. */
function polled(descriptor: number): Readable {
  const buffer = Buffer.allocUnsafe(65_536);
  let pause = 1;
  let timer: NodeJS.Timeout | undefined;
  const stream = new Readable({
    read() {},
    destroy(error, done) {
      clearTimeout(timer);
      closeSync(descriptor);
      done(error);
    },
  });
  const look = (): void => {
    try {
      const count = readSync(descriptor, buffer);
      stream.push(count === 0 ? null : Buffer.from(buffer.subarray(0, count)));
      if (count === 0) return;
      pause = 0;
    } catch (error) {
      const isEmpty = (error as NodeJS.ErrnoException).code === 'EAGAIN';
      if (!isEmpty) stream.destroy(error as Error);
      if (!isEmpty) return;
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2 || 1);
    }
    timer = setTimeout(look, pause);
  };
  look();
  return stream;
}
