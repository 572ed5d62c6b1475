import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject, LineReader, parseJson } from '@understudy/kit';
import { type Channel, type ChannelEnds, ServerError } from './peer.js';

/** How the CLI ends a server: it asks twice, then no longer. */
const SIGNALS = [
  ['SIGINT', 100],
  ['SIGTERM', 400],
] as const;

/** How long it may take to end by itself when nothing more comes. */
const GENTLE_MS = 2_000;

export interface ServerCommand {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  onStderr(text: string): void;
}

/** A server that is a process of ours: a message is a line. */
export class StdioChannel implements Channel {
  readonly #command: ServerCommand;
  #child: ChildProcess | undefined;

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  open(ends: ChannelEnds): Promise<void> {
    const { command, args, env, cwd, onStderr } = this.#command;
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
      this.#child = child;
      child.on('spawn', resolve);
      child.on('error', (error: NodeJS.ErrnoException) => reject(notStarted(command, error)));
      child.on('close', ends.closed);
      // It may end while we write.
      child.stdin.on('error', () => {});
      const reader = new LineReader((line) => {
        const message = parseJson(line);
        // Whatever else a server prints is none of our business.
        if (isObject(message)) ends.received(message);
      });
      child.stdout.on('data', (chunk: Buffer) => reader.push(chunk));
      child.stderr.setEncoding('utf8').on('data', onStderr);
    });
  }

  async send(message: JsonObject): Promise<void> {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  async close(gently = false): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (gently) {
      child.stdin?.end();
      await Promise.race([ended, sleep(GENTLE_MS, undefined, { ref: false })]);
    }
    for (const [signal, patience] of SIGNALS) {
      if (hasEnded(child)) break;
      child.kill(signal);
      await Promise.race([ended, sleep(patience, undefined, { ref: false })]);
    }
    if (!hasEnded(child)) {
      child.kill('SIGKILL');
      await ended;
    }
    // A process of its own may still hold them.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function notStarted(command: string, { code = 'ENOENT' }: NodeJS.ErrnoException): ServerError {
  if (code === 'ENOENT' && !command.includes('/'))
    return new ServerError(`Executable not found in $PATH: "${command}"`, code);
  const why = code === 'ENOENT' ? 'no such file or directory' : code === 'EACCES' ? 'permission denied' : 'not started';
  return new ServerError(`${why}, posix_spawn '${command}'`, code);
}
