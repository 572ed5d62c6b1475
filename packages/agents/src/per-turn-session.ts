import { randomUUID } from 'node:crypto';
import {
  Child,
  createTempFolder,
  defined,
  type Environment,
  type Exit,
  offlineGit,
  type Scratch,
  scrubbedEnvironment,
  tellingLine,
} from '@understudy/kit';
import type { AgentSession, StartOptions } from './driver.js';
import type { Reportable, TurnEnded } from './events.js';
import type { AccessSettings } from './model-access.js';
import { OneTurn } from './one-turn.js';
import { describeDeadline } from './turn-deadline.js';
import type { TurnReader } from './turn-reader.js';

/** A CLI that is started anew for each turn and keeps its sessions itself. */
export interface PerTurnCli {
  /** As people call it. */
  title: string;
  /** Its model is reached with this; files that it needs are written into its home. */
  access(options: StartOptions): AccessSettings;
  /** What its output contains. */
  reports: readonly Reportable[];
  /** Variables beside those of the model. */
  variables: Environment;
  /** `turn` counts from 1. */
  arguments(text: string, session: string | undefined, options: StartOptions, turn: number): string[];
  /** The prompt goes to stdin instead of the command line. */
  input?(text: string): string;
  /** For a turn with these words. */
  reader(options: StartOptions, words: readonly string[]): TurnReader;
}

/** After an interrupt, the CLI gets this long to end by itself. */
const INTERRUPT_GRACE_MS = 2_000;

/** A conversation with such a CLI: a process per turn, tied together by the CLI's session name. */
export class PerTurnSession implements AgentSession {
  readonly #cli: PerTurnCli;
  readonly #options: StartOptions;
  readonly #turn: OneTurn;
  readonly #access: AccessSettings;
  /** One for all turns: what a turn left in TMPDIR, the next one may want to read. */
  readonly #temp: Scratch;
  #child: Child | undefined;
  #sessionId: string | undefined;
  #interrupted = false;
  #turns = 0;

  constructor(cli: PerTurnCli, options: StartOptions) {
    this.#cli = cli;
    this.#options = options;
    this.#sessionId = options.resume;
    this.#turn = new OneTurn(cli.title, options.emit);
    this.#access = cli.access(options);
    this.#temp = createTempFolder();
    this.#emitSession();
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get pid(): number | undefined {
    return this.#child?.mainPid;
  }

  async send(text: string, { deadlineMs = this.#options.deadlines.turnMs } = {}): Promise<TurnEnded> {
    const ended = this.#turn.begin();
    this.#interrupted = false;
    this.#options.emit({ type: 'prompt', id: randomUUID(), text });
    try {
      await this.#run(text, deadlineMs);
    } catch (error) {
      // It could not be started. The turn is over, and a later one may begin.
      this.#turn.fail('died', error instanceof Error ? error.message : String(error));
      throw error;
    }
    return ended;
  }

  async interrupt(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.#turn.isOpen) return;
    this.#interrupted = true;
    this.#options.emit({ type: 'interrupt' });
    child.signal('SIGINT');
    await child.exitWithin(INTERRUPT_GRACE_MS, 'interrupt');
  }

  async end(): Promise<void> {
    this.#turn.shut('the conversation has ended');
    await this.#child?.kill('end of the conversation');
    await this.#temp.remove();
  }

  /** Starts the CLI for one turn, and waits until it has ended. */
  async #run(text: string, deadlineMs: number): Promise<void> {
    const words = this.#cli.arguments(text, this.#sessionId, this.#withAccess(), ++this.#turns);
    const reader = this.#cli.reader(this.#options, words);
    const stderr: string[] = [];
    const input = this.#cli.input?.(text);
    const child = await Child.start({
      command: [...this.#options.found.command, ...words],
      cwd: this.#options.cwd,
      env: this.#environment(),
      noteLeftovers: true,
      enclosure: this.#options.enclosure,
      input: input === undefined ? 'closed' : 'open',
      onLine: (line) => this.#read(reader, line),
      onErrorLine: (line) => stderr.push(line),
      ...defined({ output: this.#options.output }),
    });
    this.#child = child;
    if (input !== undefined) {
      child.write(input);
      child.closeInput();
    }
    const timer = setTimeout(() => {
      this.#turn.fail('timed_out', describeDeadline(deadlineMs, child));
      child.killNow('deadline of the turn');
    }, deadlineMs);
    const exit = await child.exited;
    clearTimeout(timer);
    this.#child = undefined;
    this.#ended(exit, reader, stderr.join('\n'));
  }

  #withAccess(): StartOptions {
    return { ...this.#options, args: [...this.#access.args, ...(this.#options.args ?? [])] };
  }

  #environment(): Environment {
    return turnEnvironment(this.#cli, this.#options, { access: this.#access, temp: this.#temp.path });
  }

  #read(reader: TurnReader, line: string): void {
    if (line === '') return;
    const events = reader.read(line);
    if (reader.sessionId !== undefined && reader.sessionId !== this.#sessionId) {
      this.#sessionId = reader.sessionId;
      this.#emitSession();
    }
    for (const event of events) this.#options.emit(event);
  }

  #emitSession(): void {
    const { found, stage, cwd, modelName } = this.#options;
    this.#options.emit({
      type: 'session',
      agent: found.agent,
      stage,
      cwd,
      reports: [...this.#cli.reports],
      ...defined({ version: found.version, sessionId: this.#sessionId, model: modelName }),
    });
  }

  #ended(exit: Exit, reader: TurnReader, stderr: string): void {
    const killed = exit.signal !== null && !this.#interrupted;
    this.#options.emit({
      type: 'process_ended',
      code: exit.code,
      signal: exit.signal,
      unexpected: killed && exit.killedBy === undefined,
      ...defined({ killedBy: exit.killedBy }),
      ...(stderr === '' ? {} : { stderr: stderr.slice(-4000) }),
      ...defined({ leftovers: exit.leftovers }),
    });
    if (!this.#turn.isOpen) return;
    if (killed) {
      const said = tellingLine(stderr);
      const how =
        exit.killedBy === undefined
          ? `signal ${exit.signal}${said === undefined ? '' : `: ${said}`}`
          : `killed: ${exit.killedBy}`;
      this.#turn.fail('died', `${this.#cli.title} ended in the middle of the turn (${how})`);
      return;
    }
    const verdict = reader.verdict(exit, stderr);
    const milliseconds = this.#turn.close();
    this.#turn.finish(
      this.#interrupted
        ? { type: 'turn_ended', outcome: 'interrupted', reason: 'interrupted', milliseconds }
        : { type: 'turn_ended', milliseconds, ...verdict },
    );
  }
}

/** What such a CLI finds in its environment. */
export function turnEnvironment(
  { variables }: PerTurnCli,
  { home, environment, model }: StartOptions,
  { access, temp }: { access: AccessSettings; temp: string },
): Environment {
  const offline = model.kind === 'live' ? {} : offlineGit;
  return scrubbedEnvironment({ HOME: home, TMPDIR: temp, ...offline, ...variables, ...access.env, ...environment });
}
