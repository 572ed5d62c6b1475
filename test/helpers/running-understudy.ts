import { spawn } from 'node:child_process';
import { isolation } from './isolation.js';
import { UNDERSTUDY } from './understudy.js';

export interface RunningUnderstudy {
  pid: number;
  /** All that it has printed so far, on both streams. */
  output(): string;
  /** Waits until it has printed something new that matches, since the last such wait. */
  says(pattern: RegExp, milliseconds?: number): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  exited: Promise<number | null>;
}

/** Starts the built understudy and leaves it running. Whoever starts it ends it. */
export function startUnderstudy(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): RunningUnderstudy {
  const child = spawn(process.execPath, [UNDERSTUDY, ...args], {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      NO_COLOR: '1',
      UNDERSTUDY_ISOLATION: isolation,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let seen = 0;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    pid: child.pid ?? 0,
    output: () => output,
    async says(pattern, milliseconds = 30_000) {
      const deadline = Date.now() + milliseconds;
      for (;;) {
        const found = pattern.exec(output.slice(seen));
        if (found !== null) {
          const text = output.slice(seen, seen + found.index + found[0].length);
          seen += found.index + found[0].length;
          return text;
        }
        if (Date.now() > deadline) throw new Error(`it never said ${pattern}; it said:\n${output.slice(seen)}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    signal: (signal) => void child.kill(signal),
    exited,
  };
}
