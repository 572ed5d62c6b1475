import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IPty } from '@lydell/node-pty';
import {
  defined,
  describeLeftovers,
  type Enclosed,
  type Enclosure,
  type Environment,
  killAllOf,
  livingProcessesOf,
  markChild,
  reapIfLeft,
  releaseFromReaper,
  UnderstudyError,
  withLimitMark,
} from '@understudy/kit';
import type { Terminal as Screen } from '@xterm/headless';
import type { EventBodyOf } from '../events.js';
import { type Key, keyBytes } from './keys.js';
import { loadTerminalPackages } from './optional-packages.js';
import { type Run, screenRuns } from './screen-runs.js';
import { drawScreen } from './screen-svg.js';

export interface TerminalOptions {
  command: readonly string[];
  cwd: string;
  env: Environment;
  columns?: number | undefined;
  rows?: number | undefined;
  /** Where it is started; absent, as it is. */
  enclosure?: Enclosure | undefined;
}

/** What a screen shows. */
export type ScreenShot = Pick<EventBodyOf<'screen'>, 'text' | 'cursor' | 'marks'>;
type ScreenMark = ScreenShot['marks'][number];

/** Something on a screen that is more than a text or a pattern. */
export interface Sought {
  describe: string;
  isIn: (screen: string) => boolean;
}

const DEFAULT_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 25;

/** A program in a terminal that only the test sees: type, wait for text, read the screen. */
export class Terminal {
  readonly #pty: IPty;
  readonly #screen: Screen;
  readonly #owner: string;
  readonly #enclosed: Enclosed | undefined;
  #exit: { code: number; signal: number } | undefined;
  #leftovers: string[] | undefined;

  private constructor(pty: IPty, screen: Screen, owner: string, enclosed: Enclosed | undefined) {
    this.#pty = pty;
    this.#screen = screen;
    this.#owner = owner;
    this.#enclosed = enclosed;
    enclosed?.started(pty.pid);
    reapIfLeft('group', pty.pid);
    showWithinMemory(pty, screen);
    // What the terminal answers (cursor position, device attributes) goes back to the program.
    screen.onData((data) => pty.write(data));
    pty.onExit(({ exitCode, signal }) => {
      let exit = { code: exitCode, signal: signal ?? 0 };
      if (enclosed !== undefined) {
        const { code, signal: by, leftovers } = enclosed.conclude({ code: exitCode, signal: null });
        exit = { code: code ?? 0, signal: by === null ? 0 : constants.signals[by] };
        this.#leftovers = leftovers;
      }
      // Whoever sees that it has ended looks at the last screen.
      screen.write('', () => {
        this.#exit = exit;
      });
    });
  }

  static async start({ command, cwd, env, columns = 120, rows = 40, enclosure }: TerminalOptions): Promise<Terminal> {
    const packages = loadTerminalPackages();
    const [file, ...args] = command;
    if (file === undefined) throw new UnderstudyError('PROCESS_NO_COMMAND', 'there is no command to start');
    const { owner, env: marked } = markChild(env);
    const screen = new packages.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5000 });
    // Before it starts: we may be killed before the next line.
    reapIfLeft('owner', owner);
    const enclosed = enclosure?.enclose([file, ...args], { cwd, env: marked });
    const [program = file, ...rest] = enclosed?.command ?? withLimitMark([file, ...args], owner);
    const pty = packages.spawn(program, rest, {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd,
      env: { ...marked, TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    });
    return new Terminal(pty, screen, owner, enclosed);
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** How the program ended, once it has and the screen shows all that it printed. */
  get exit(): { code: number; signal: number } | undefined {
    return this.#exit;
  }

  /** Types text as it is; Enter is a key of its own. */
  type(text: string): void {
    this.#pty.write(text);
  }

  press(key: Key): void {
    this.#pty.write(keyBytes(key));
  }

  /** The screen as text, without trailing blanks. */
  text(): string {
    const { active } = this.#screen.buffer;
    const lines = Array.from({ length: this.#screen.rows }, (_, row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    );
    return lines.join('\n').trimEnd();
  }

  /** The screen with its cursor and looks; rows and columns count from 1. */
  screen(): ScreenShot {
    const { active } = this.#screen.buffer;
    return {
      text: this.text(),
      cursor: { row: active.cursorY + 1, column: active.cursorX + 1 },
      marks: screenRuns(this.#screen).flatMap((runs, row) => runs.flatMap((run) => markOf(run, row + 1) ?? [])),
    };
  }

  /** The screen as a picture. */
  svg(): string {
    return drawScreen(this.#screen);
  }

  /** Waits until the screen shows something, and gives the screen. The error shows the screen, too. */
  async waitFor(wanted: string | RegExp | Sought, milliseconds: number = DEFAULT_WAIT_MS): Promise<string> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const screen = this.text();
      if (isShown(wanted, screen)) return screen;
      if (this.#exit !== undefined) throw notShown(wanted, `the program ended with ${this.#exit.code}`, screen);
      if (performance.now() > deadline) throw notShown(wanted, `not within ${milliseconds} ms`, screen);
      await sleep(LOOK_EVERY_MS);
    }
  }

  /** Waits until the screen is another than before, for a while at most: not everything that is typed is shown. */
  async changed(before: string, milliseconds: number): Promise<void> {
    const deadline = performance.now() + milliseconds;
    while (this.text() === before && this.#exit === undefined && performance.now() < deadline) {
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

  /** What the program left running when it had ended. */
  async leftovers(): Promise<string[]> {
    return this.#leftovers ?? describeLeftovers(livingProcessesOf({ pid: this.#pty.pid, owner: this.#owner }));
  }

  /** Ends the program and all that came from it. */
  async end(): Promise<void> {
    if (this.#exit === undefined) this.#enclosed?.ending?.();
    killAllOf({ pid: this.#pty.pid, owner: this.#owner });
    for (let waited = 0; this.#exit === undefined && waited < 2000; waited += LOOK_EVERY_MS) await sleep(LOOK_EVERY_MS);
    releaseFromReaper('group', this.#pty.pid);
    releaseFromReaper('owner', this.#owner);
    this.#screen.dispose();
  }
}

function isShown(wanted: string | RegExp | Sought, screen: string): boolean {
  if (typeof wanted === 'string') return screen.includes(wanted);
  return wanted instanceof RegExp ? wanted.test(screen) : wanted.isIn(screen);
}

/** Text that does not look like the terminal's own. */
function markOf({ column, text, style }: Run, row: number): ScreenMark | undefined {
  const { color, background, ...looks } = style;
  const set = Object.fromEntries(Object.entries(looks).filter(([, on]) => on));
  if (text.trim() === '' && background === undefined && !style.inverse) return undefined;
  if (color === undefined && background === undefined && Object.keys(set).length === 0) return undefined;
  return { row, column: column + 1, text: text.trimEnd(), ...set, ...defined({ color, background }) };
}

function notShown(wanted: string | RegExp | Sought, why: string, screen: string): UnderstudyError {
  const what = typeof wanted === 'object' && 'describe' in wanted ? wanted.describe : JSON.stringify(String(wanted));
  return new UnderstudyError('TERMINAL_NOT_SHOWN', `the screen does not show ${what}: ${why}`, {
    fix: `This is the screen:\n${screen}`,
  });
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
