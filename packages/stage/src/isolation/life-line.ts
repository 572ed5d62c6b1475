import { createServer, type Server, type Socket } from 'node:net';
import { constants } from 'node:os';

/**
 * A socket to which the first process in a container connects. When we close it, or when our process ends in any way,
 * the connection ends, and with it everything in the container: killing the client of an engine does not do that.
 */
export class LifeLine {
  readonly #server: Server;
  readonly #connections = new Set<Socket>();

  constructor(file: string) {
    this.#server = createServer((connection) => {
      this.#connections.add(connection);
      connection.on('error', () => {});
      connection.once('close', () => this.#connections.delete(connection));
      connection.unref();
    });
    this.#server.on('error', () => {});
    this.#server.listen(file);
    // It never keeps us alive.
    this.#server.unref();
  }

  /** Asks the first process to send a signal to its command. */
  signal(signal: NodeJS.Signals): void {
    for (const connection of this.#connections) connection.write(Buffer.of(constants.signals[signal]));
  }

  cut(): void {
    this.#server.close();
    for (const connection of this.#connections) connection.destroy();
  }
}
