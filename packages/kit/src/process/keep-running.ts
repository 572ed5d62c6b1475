import type { Server, Socket } from 'node:net';

/** The longest time that a timer of Node can wait. */
const LONGEST_MS = 2 ** 31 - 1;

let pending = 0;
let anchor: NodeJS.Timeout | undefined;

/**
 * Keeps our process running until the work is done. Nothing else of ours does what outlives a call: agents, servers and
 * connections let the process end, so that a test that fails before it ends its conversation does not hang. Without
 * this, Node would end in the middle of an `await` that only waits for those.
 */
export async function keepRunningFor<T>(work: Promise<T>): Promise<T> {
  pending++;
  anchor ??= setInterval(() => {}, LONGEST_MS);
  try {
    return await work;
  } finally {
    if (--pending === 0) {
      clearInterval(anchor);
      anchor = undefined;
    }
  }
}

/** The server and its connections do not keep our process running. */
export function letProcessEnd<T extends Server>(server: T): T {
  server.on('connection', (connection: Socket) => connection.unref());
  server.unref();
  return server;
}
