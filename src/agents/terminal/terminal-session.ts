import { randomUUID } from 'node:crypto';
import { UnderstudyError } from '../../errors.js';
import { createTempFolder, type Scratch } from '../../process/scratch.js';
import type { AgentSession, StartOptions, TerminalAction, TerminalProgram, TerminalSize } from '../driver.js';
import type { TurnEnded } from '../events.js';
import { OneTurn } from '../one-turn.js';
import type { Key } from './keys.js';
import { Terminal } from './terminal.js';

/** Enter right behind a text would be taken for part of a paste. */
const AFTER_TEXT_MS = 150;
const AFTER_KEY_MS = 100;
/** So long a busy program may take to show what was typed; a password is never shown. */
const TEXT_SHOWN_MS = 10_000;
const KEY_SHOWN_MS = 1_000;
const AFTER_SHOWN_MS = 500;
/** What a screen is waited for without a time of its own. */
const WAIT_MS = 30_000;
/** The screen of a turn that is over does not change for so long. */
const QUIET_MS = 600;

/** A CLI as people see it: a terminal that is typed at and read. Each action is a turn. */
export class TerminalSession implements AgentSession {
  readonly sessionId = undefined;
  readonly #terminal: Terminal;
  readonly #temp: Scratch;
  readonly #options: StartOptions;
  readonly #turn: OneTurn;
  #toldEnd = false;

  private constructor(terminal: Terminal, temp: Scratch, options: StartOptions) {
    this.#terminal = terminal;
    this.#temp = temp;
    this.#options = options;
    this.#turn = new OneTurn(options.found.agent, options.emit);
  }

  /** Starts the CLI and waits until it can be typed at. */
  static async start(program: TerminalProgram, options: StartOptions, size: TerminalSize): Promise<TerminalSession> {
    const temp = createTempFolder();
    let terminal: Terminal | undefined;
    try {
      terminal = await Terminal.start({ ...program.start(options, temp.path), cwd: options.cwd, ...size });
      await terminal.waitFor(program.ready, options.deadlines.startMs);
      await terminal.settle();
    } catch (error) {
      await terminal?.end();
      await temp.remove();
      throw error;
    }
    const session = new TerminalSession(terminal, temp, options);
    session.#tellSession();
    return session;
  }

  get pid(): number {
    return this.#terminal.pid;
  }

  /** Types a text, presses Enter, and waits until the screen is quiet. */
  send(text: string, { deadlineMs }: { deadlineMs?: number } = {}): Promise<TurnEnded> {
    return this.act({ type: text, press: ['enter'] }, deadlineMs === undefined ? {} : { deadlineMs });
  }

  async act(action: TerminalAction, { deadlineMs = WAIT_MS } = {}): Promise<TurnEnded> {
    const ended = this.#turn.begin();
    this.#options.emit({ type: 'prompt', id: randomUUID(), text: describeAction(action) });
    const failure = await this.#perform(action, deadlineMs);
    this.#options.emit({ type: 'screen', ...this.#terminal.screen() });
    this.#tellEnd();
    const milliseconds = this.#turn.close();
    this.#turn.finish({ type: 'turn_ended', milliseconds, ...(failure ?? { outcome: 'completed' }) });
    return ended;
  }

  picture(): string {
    return this.#terminal.svg();
  }

  async interrupt(): Promise<void> {
    this.#options.emit({ type: 'interrupt' });
    this.#terminal.press('escape');
  }

  async end(): Promise<void> {
    this.#turn.shut('the conversation has ended');
    await this.#terminal.end();
    this.#tellEnd('end of the conversation');
    await this.#temp.remove();
  }

  async #perform(
    { type, press = [], waitFor }: TerminalAction,
    deadlineMs: number,
  ): Promise<Pick<TurnEnded, 'outcome' | 'reason' | 'message'> | undefined> {
    const terminal = this.#terminal;
    if (terminal.exit !== undefined) {
      return { outcome: 'died', reason: 'died', message: `the program ended with ${terminal.exit.code}` };
    }
    if (type !== undefined) {
      const before = terminal.text();
      terminal.type(type);
      await terminal.changed(before, TEXT_SHOWN_MS);
      await terminal.settle(AFTER_TEXT_MS, 2000);
    }
    for (const key of press) await this.#press(key);
    if (waitFor === undefined) {
      await terminal.settle(QUIET_MS, deadlineMs);
      return undefined;
    }
    try {
      await terminal.waitFor(waitFor, deadlineMs);
      // A dialog that has just come up takes no keys yet.
      await terminal.settle(AFTER_SHOWN_MS, 3000);
      return undefined;
    } catch (error) {
      if (!(error instanceof UnderstudyError)) throw error;
      return { outcome: 'timed_out', reason: 'not_shown', message: error.message };
    }
  }

  async #press(key: Key): Promise<void> {
    const before = this.#terminal.text();
    this.#terminal.press(key);
    await this.#terminal.changed(before, KEY_SHOWN_MS);
    await this.#terminal.settle(AFTER_KEY_MS, 1000);
  }

  #tellSession(): void {
    const { found, stage, cwd } = this.#options;
    this.#options.emit({
      ...{ type: 'session', agent: found.agent, stage, cwd, reports: [] },
      ...(found.version === undefined ? {} : { version: found.version }),
    });
  }

  #tellEnd(killedBy?: string): void {
    const { exit } = this.#terminal;
    if (this.#toldEnd || (exit === undefined && killedBy === undefined)) return;
    this.#toldEnd = true;
    this.#options.emit({
      type: 'process_ended',
      code: exit?.code ?? null,
      signal: null,
      unexpected: false,
      ...(killedBy === undefined ? {} : { killedBy }),
    });
  }
}

/** The action in words: it is the prompt of its turn. */
export function describeAction({ type, press = [], waitFor }: TerminalAction): string {
  const said = [...(type === undefined ? [] : [type]), ...press.map((key) => `[${key}]`)].join(' ');
  return said === '' ? `(wait for ${waitFor?.describe ?? 'a quiet screen'})` : said;
}
