import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventBody, performAction, Terminal, type TerminalAction, type TerminalSize } from '@understudy/agents';
import { defined, type Enclosure, type Environment } from '@understudy/kit';
import type { EndedProgram } from '@understudy/stage';

export interface TerminalProgramOptions {
  command: readonly string[];
  cwd: string;
  env: Environment;
  /** Where it is started; absent, as it is. */
  enclosure?: Enclosure | undefined;
  size: TerminalSize;
}

const LOOK_EVERY_MS = 25;

/** A program in a terminal of ours, from its start to its end. */
export class TerminalProgram {
  readonly #terminal: Terminal;
  readonly #options: TerminalProgramOptions;
  readonly #startedAt = performance.now();

  private constructor(terminal: Terminal, options: TerminalProgramOptions) {
    this.#terminal = terminal;
    this.#options = options;
  }

  static async start(options: TerminalProgramOptions): Promise<TerminalProgram> {
    const { size, ...program } = options;
    return new TerminalProgram(await Terminal.start({ ...program, ...size }), options);
  }

  /** Types, presses and waits; gives what was seen then. */
  async act(action: TerminalAction, deadlineMs: number | undefined): Promise<EventBody[]> {
    const began = performance.now();
    const failure = await performAction(this.#terminal, action, deadlineMs);
    const milliseconds = performance.now() - began;
    return [
      { type: 'screen', ...this.#terminal.screen() },
      { type: 'turn_ended', milliseconds, ...(failure ?? { outcome: 'completed' }) },
    ];
  }

  picture(): string {
    return this.#terminal.svg();
  }

  /** Waits until the program has ended, or ends it. A terminal has one output: the screen. */
  async end(deadlineMs: number, interrupted: AbortSignal | undefined): Promise<EndedProgram> {
    const terminal = this.#terminal;
    const deadline = performance.now() + deadlineMs;
    while (terminal.exit === undefined && performance.now() < deadline && interrupted?.aborted !== true)
      await sleep(LOOK_EVERY_MS);
    const { exit } = terminal;
    const leftovers = exit === undefined ? undefined : await terminal.leftovers();
    const milliseconds = Math.round(performance.now() - this.#startedAt);
    const stdout = terminal.text();
    await terminal.end();
    const { command, cwd } = this.#options;
    return {
      ...{ command, cwd, stdout, stderr: '', milliseconds, timedOut: exit === undefined },
      code: exit === undefined || exit.signal !== 0 ? null : exit.code,
      signal: exit === undefined ? null : nameOf(exit.signal),
      ...defined({ leftovers }),
    };
  }
}

function nameOf(signal: number): string | null {
  return Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? null;
}
