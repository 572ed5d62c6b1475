import { randomUUID } from 'node:crypto';
import { createTempFolder, defined, type Scratch } from '@understudy/kit';
import type {
  AgentSession,
  StartOptions,
  TerminalAction,
  TerminalObserver,
  TerminalProgram,
  TerminalSize,
} from '../driver.js';
import type { EventBody, TurnEnded } from '../events.js';
import { OneTurn } from '../one-turn.js';
import { describeAction } from './describe-action.js';
import { performAction } from './perform-action.js';
import { Terminal } from './terminal.js';

/** A CLI as people see it: a terminal that is typed at and read. Each action is a turn. */
export class TerminalSession implements AgentSession {
  readonly sessionId = undefined;
  readonly #terminal: Terminal;
  readonly #temp: Scratch;
  readonly #options: StartOptions;
  readonly #turn: OneTurn;
  readonly #observer: TerminalObserver | undefined;
  #toldEnd = false;

  private constructor(
    terminal: Terminal,
    temp: Scratch,
    options: StartOptions,
    observer: TerminalObserver | undefined,
  ) {
    this.#observer = observer;
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
      terminal = await Terminal.start({
        ...(await program.start(options, temp.path)),
        cwd: options.cwd,
        enclosure: options.enclosure,
        ...size,
      });
      await terminal.waitFor(program.ready, options.deadlines.startMs);
      await terminal.settle();
    } catch (error) {
      await terminal?.end();
      await temp.remove();
      throw error;
    }
    const session = new TerminalSession(terminal, temp, options, program.observe?.(options));
    session.#emitSession();
    session.#emitSeen();
    return session;
  }

  get pid(): number {
    return this.#terminal.pid;
  }

  /** Types a text, presses Enter, and waits until the screen is quiet. */
  send(text: string, { deadlineMs }: { deadlineMs?: number } = {}): Promise<TurnEnded> {
    return this.act({ type: text, press: ['enter'] }, deadlineMs === undefined ? {} : { deadlineMs });
  }

  async act(action: TerminalAction, { deadlineMs }: { deadlineMs?: number } = {}): Promise<TurnEnded> {
    const ended = this.#turn.begin();
    this.#options.emit({ type: 'prompt', id: randomUUID(), text: describeAction(action) });
    const failure = await performAction(this.#terminal, action, deadlineMs);
    this.#emitSeen();
    this.#options.emit({ type: 'screen', ...this.#terminal.screen() });
    this.#emitEnd();
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
    this.#emitSeen((event) => event.type === 'hook_started' || event.type === 'hook_finished');
    this.#emitEnd('end of the conversation');
    await this.#temp.remove();
  }

  #emitSession(): void {
    const { found, stage, cwd } = this.#options;
    this.#options.emit({
      ...{ type: 'session', agent: found.agent, stage, cwd, reports: [...(this.#observer?.reports ?? [])] },
      ...defined({ version: found.version }),
    });
  }

  /** After the last turn no message comes any more, but hooks run. */
  #emitSeen(isWanted: (event: EventBody) => boolean = () => true): void {
    for (const event of (this.#observer?.read() ?? []).filter(isWanted)) this.#options.emit(event);
  }

  #emitEnd(killedBy?: string): void {
    const { exit } = this.#terminal;
    if (this.#toldEnd || (exit === undefined && killedBy === undefined)) return;
    this.#toldEnd = true;
    this.#options.emit({
      type: 'process_ended',
      code: exit?.code ?? null,
      signal: null,
      unexpected: false,
      ...defined({ killedBy }),
    });
  }
}
