import { setTimeout as sleep } from 'node:timers/promises';
import type { IPty } from '@lydell/node-pty';
import type { Terminal as Screen } from '@xterm/headless';
import { UnderstudyError } from '../../errors.js';
import type { Environment } from '../../process/environment.js';
import { guardAgainstLeftover, releaseFromGuard } from '../../process/guard.js';
import { withLimitMark } from '../../process/limit-mark.js';
import { markChild } from '../../process/owner-mark.js';
import { killAllOf } from '../../process/process-table.js';
import { loadTerminalPackages } from './optional-packages.js';
import { drawScreen } from './screen-svg.js';

export interface TerminalOptions {
  command: readonly string[];
  cwd: string;
  env: Environment;
  columns?: number;
  rows?: number;
}

const KEYS = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  backspace: '\u007f',
  up: '\u001b[A',
  down: '\u001b[B',
  right: '\u001b[C',
  left: '\u001b[D',
  'ctrl+c': '\u0003',
  'ctrl+d': '\u0004',
} as const;

export type Key = keyof typeof KEYS;

const DEFAULT_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 25;

/** A program in a terminal that only the test sees: type, wait for text, read the screen. */
export class Terminal {
  readonly #pty: IPty;
  readonly #screen: Screen;
  readonly #owner: string;
  #exit: { code: number; signal: number } | undefined;

  private constructor(pty: IPty, screen: Screen, owner: string) {
    this.#pty = pty;
    this.#screen = screen;
    this.#owner = owner;
    guardAgainstLeftover('group', pty.pid);
    showWithinMemory(pty, screen);
    // What the terminal answers (cursor position, device attributes) goes back to the program.
    screen.onData((data) => pty.write(data));
    pty.onExit(({ exitCode, signal }) => {
      this.#exit = { code: exitCode, signal: signal ?? 0 };
    });
  }

  static async start({ command, cwd, env, columns = 120, rows = 40 }: TerminalOptions): Promise<Terminal> {
    const packages = await loadTerminalPackages();
    const [file, ...args] = command;
    if (file === undefined) throw new UnderstudyError('PROCESS_NO_COMMAND', 'there is no command to start');
    const { owner, env: marked } = markChild(env);
    const screen = new packages.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 });
    // Before it starts: we may be killed before the next line.
    guardAgainstLeftover('owner', owner);
    const [program = file, ...rest] = withLimitMark([file, ...args], owner);
    const pty = packages.spawn(program, rest, {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd,
      env: { ...marked, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    });
    return new Terminal(pty, screen, owner);
  }

  get pid(): number {
    return this.#pty.pid;
  }

  get hasEnded(): boolean {
    return this.#exit !== undefined;
  }

  /** Types text as it is; Enter is a key of its own. */
  type(text: string): void {
    this.#pty.write(text);
  }

  press(key: Key): void {
    this.#pty.write(KEYS[key]);
  }

  /** The screen as text, without trailing blanks. */
  text(): string {
    const { active } = this.#screen.buffer;
    const lines = Array.from({ length: this.#screen.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
    return lines.join('\n').trimEnd();
  }

  /** The screen as a picture. */
  svg(): string {
    return drawScreen(this.#screen);
  }

  /** Waits until the screen shows something, and gives the screen. The error shows the screen, too. */
  async waitFor(wanted: string | RegExp, milliseconds: number = DEFAULT_WAIT_MS): Promise<string> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const screen = this.text();
      if (typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)) return screen;
      if (this.#exit !== undefined) throw notShown(wanted, `the program ended with ${this.#exit.code}`, screen);
      if (performance.now() > deadline) throw notShown(wanted, `not within ${milliseconds} ms`, screen);
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Waits until nothing has changed for a while. */
  async settle(quietMs = 300, milliseconds: number = DEFAULT_WAIT_MS): Promise<string> {
    const deadline = performance.now() + milliseconds;
    let last = this.text();
    for (let since = performance.now(); performance.now() - since < quietMs && performance.now() < deadline; ) {
      await sleep(LOOK_EVERY_MS);
      const now = this.text();
      if (now !== last) since = performance.now();
      last = now;
    }
    return last;
  }

  /** Ends the program and all that came from it. */
  async end(): Promise<void> {
    killAllOf({ pid: this.#pty.pid, owner: this.#owner });
    for (let waited = 0; this.#exit === undefined && waited < 2000; waited += LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS);
    releaseFromGuard('group', this.#pty.pid);
    releaseFromGuard('owner', this.#owner);
    this.#screen.dispose();
  }
}

function notShown(wanted: string | RegExp, why: string, screen: string): UnderstudyError {
  return new UnderstudyError(
    'TERMINAL_NOT_SHOWN',
    `the screen does not show ${JSON.stringify(String(wanted))}: ${why}`,
    {
      fix: `This is the screen:\n${screen}`,
    },
  );
}

/** So many characters may wait to be drawn; a program that prints more waits with them. */
const WAITING = 1_000_000;

function showWithinMemory(pty: IPty, screen: Screen): void {
  let waiting = 0;
  pty.onData((data) => {
    waiting += data.length;
    if (waiting > WAITING) pty.pause();
    screen.write(data, () => {
      waiting -= data.length;
      if (waiting <= WAITING) pty.resume();
    });
  });
}
