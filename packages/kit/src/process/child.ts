import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { UnderstudyError } from '../errors.js';
import { DescendantWatch } from './descendant-watch.js';
import type { Enclosed, Enclosure, PlainExit } from './enclosure.js';
import type { Environment } from './environment.js';
import { describeLeftovers } from './find-leftovers.js';
import { startProblem } from './find-program.js';
import { keepRunningFor } from './keep-running.js';
import { withLimitMark } from './limit-mark.js';
import { LineReader } from './line-reader.js';
import { describeCut, type OutputBudget } from './output-budget.js';
import { markChild } from './owner-mark.js';
import { commandLine, killAllOf, livingProcessesOf, type Origin } from './process-table.js';
import { closePipe, readFrom, takePipes } from './real-pipe.js';
import { reapIfLeft, releaseFromReaper } from './reaper.js';
import { asUnderstudyError } from './system-error.js';

/** How a child ended. `killedBy` is set when it was us. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
  killedBy?: string;
  /** With `noteLeftovers`: what it had started and did not end, as command lines. They are ended, too. */
  leftovers?: string[];
}

export interface ChildOptions {
  command: readonly string[];
  cwd: string;
  env: Environment;
  /** `open` keeps a pipe to write to; otherwise stdin is empty, because some CLIs wait for its end. */
  input?: 'open' | 'closed';
  /** A reader that throws ends the child; the reason is in its exit. */
  onLine?: (line: string) => void;
  onErrorLine?: (line: string) => void;
  /** What it may write. A child that writes more is killed, and the rest is not read. */
  output?: OutputBudget;
  /** Where it is started; absent, as it is. */
  enclosure?: Enclosure | undefined;
  /** It outlives the call that started it, so it does not keep our process running: each call to it does. */
  lasting?: boolean;
  /** Look for processes that are left when it ends by itself. */
  noteLeftovers?: boolean;
  /** Called once, when the process has ended. It must not throw. */
  onExit?: (exit: Exit) => void;
}

/** After its main process has ended, a child's helpers get this long to let go of the output. */
const OUTPUT_GRACE_MS = 300;
const LOOK_AGAIN_MS = 5;

/** What it prints. */
interface Output {
  stdout: Readable | null;
  stderr: Readable | null;
}

/** A child process in a group of its own; ending it ends everything that it started. */
export class Child {
  readonly pid: number;
  /** Resolves once, when the process has ended, its output is read and nothing of it is left. Never rejects. */
  readonly exited: Promise<Exit>;
  readonly #process: ChildProcess;
  readonly #owner: string;
  readonly #watch: DescendantWatch;
  readonly #enclosed: Enclosed | undefined;
  #killedBy: string | undefined;
  #ended = false;

  private constructor(
    process: ChildProcess,
    pid: number,
    output: Output,
    { owner, enclosed, ...options }: ChildOptions & { owner: string; enclosed: Enclosed | undefined },
  ) {
    this.#process = process;
    this.#enclosed = enclosed;
    enclosed?.started(pid);
    this.#owner = owner;
    this.pid = pid;
    this.#watch = new DescendantWatch({ pid, owner });
    reapIfLeft('group', pid);
    const readers = [
      this.#readLines(output.stdout, options.onLine, options.output),
      this.#readLines(output.stderr, options.onErrorLine, options.output),
    ];
    process.stdin?.on('error', () => {});
    if (options.lasting === true) letProcessEndBefore(process, output);
    this.exited = this.#waitForEnd(readers, options);
  }

  /** Starts it; a program that cannot be started is an error of ours. */
  static async start(options: ChildOptions): Promise<Child> {
    const [file, ...args] = options.command;
    if (file === undefined) throw new UnderstudyError('PROCESS_NO_COMMAND', 'there is no command to start');
    const { owner, env } = markChild(options.env);
    const problem = startProblem(file, options.cwd, env);
    if (problem !== undefined) throw notStarted(file, options.cwd, new Error(problem));
    // Before it starts: we may be killed before the next line.
    reapIfLeft('owner', owner);
    const enclosed = options.enclosure?.enclose([file, ...args], { cwd: options.cwd, env });
    const [program = file, ...rest] = enclosed?.command ?? withLimitMark([file, ...args], owner);
    const { process, pid, output } = await startedProcess([program, ...rest], { ...options, env }).catch((cause) => {
      releaseFromReaper('owner', owner);
      throw notStarted(file, options.cwd, cause);
    });
    return new Child(process, pid, output, { ...options, owner, enclosed });
  }

  /** The process of the command itself. In an enclosure, `pid` is the one around it. */
  get mainPid(): number {
    return this.#enclosed?.mainPid() ?? this.pid;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Writes to its stdin. A child that has gone does not make this throw: its exit shows it. */
  write(text: string): void {
    if (this.#process.stdin?.writable) this.#process.stdin.write(text);
  }

  closeInput(): void {
    this.#process.stdin?.end();
  }

  /** What it has started and what still runs, as command lines; not its own other halves, which have its arguments. */
  startedCommands(): string[] {
    const { mainPid } = this;
    const own = commandLine(mainPid) ?? '';
    const isOwn = (command: string) => /^\S+ .*[^ ]/.test(command) && own.endsWith(command.replace(/^\S+ /, ''));
    // What is around it was there before it.
    const later = livingProcessesOf(this.#origin()).filter((pid) => pid > mainPid);
    return later.flatMap((pid) => commandLine(pid) ?? []).filter((command) => !isOwn(command));
  }

  /** Asks its main process politely. */
  signal(signal: NodeJS.Signals): void {
    if (this.#ended) return;
    if (this.#enclosed === undefined) this.#process.kill(signal);
    else if (this.#enclosed.signal !== undefined) this.#enclosed.signal(signal);
    else this.#signalInside(signal, this.#enclosed);
  }

  /** A moment after the start, there is nobody inside yet. */
  #signalInside(signal: NodeJS.Signals, enclosed: Enclosed): void {
    const pid = enclosed.mainPid();
    if (pid !== undefined) signalProcess(pid, signal);
    else if (!this.#ended) setTimeout(() => this.#signalInside(signal, enclosed), LOOK_AGAIN_MS).unref();
  }

  #conclude(exit: PlainExit): ReturnType<Enclosed['conclude']> {
    return this.#enclosed?.conclude(exit) ?? exit;
  }

  /** Signals its whole group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void {
    if (this.#ended) return;
    signalProcess(-this.pid, signal);
  }

  /** Kills it and all that came from it, and waits until they are gone. */
  kill(reason: string): Promise<Exit> {
    this.killNow(reason);
    return keepRunningFor(this.exited);
  }

  /** Kills it and does not wait. */
  killNow(reason: string): void {
    if (this.#ended) return;
    if (this.#killedBy === undefined) this.#enclosed?.ending?.();
    this.#killedBy ??= reason;
    this.#clearUp();
  }

  /** Waits for its end, and kills it when that takes longer. */
  async exitWithin(milliseconds: number, reason: string): Promise<Exit> {
    const timer = setTimeout(() => this.killNow(reason), milliseconds);
    try {
      return await keepRunningFor(this.exited);
    } finally {
      clearTimeout(timer);
    }
  }

  async #waitForEnd(readers: readonly Promise<void>[], { noteLeftovers, onExit }: ChildOptions): Promise<Exit> {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      this.#process.once('exit', (code, signal) => resolve([code, signal]));
    });
    const { leftovers: left, ...ended } = this.#conclude({ code, signal });
    const isWanted = noteLeftovers === true && this.#killedBy === undefined;
    const living = isWanted && left === undefined ? livingProcessesOf(this.#origin()) : undefined;
    const leftovers = isWanted ? (left ?? (await describeLeftovers(living ?? []))) : undefined;
    const grace = setTimeout(() => this.#clearUp(), OUTPUT_GRACE_MS);
    await Promise.all(readers);
    clearTimeout(grace);
    // Where nobody was left, nobody can have started another one.
    if (living?.length !== 0) this.#clearUp();
    this.#ended = true;
    this.#watch.stop();
    releaseFromReaper('group', this.pid);
    releaseFromReaper('owner', this.#owner);
    const exit = {
      ...ended,
      ...(this.#killedBy === undefined ? {} : { killedBy: this.#killedBy }),
      ...(leftovers === undefined ? {} : { leftovers }),
    };
    onExit?.(exit);
    return exit;
  }

  /** An exception in a reader would end our whole process: it ends this child instead. */
  #guarded(onLine: ChildOptions['onLine']): (line: string) => void {
    return (line) => {
      try {
        onLine?.(line);
      } catch (error) {
        this.killNow(`its output could not be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
  }

  async #readLines(
    stream: Output['stdout'],
    onLine: ChildOptions['onLine'],
    output: OutputBudget | undefined,
  ): Promise<void> {
    if (stream === null) return;
    const reader = new LineReader(this.#guarded(onLine));
    await new Promise<void>((resolve) => {
      stream.on('data', (chunk: Buffer) => {
        if (output?.cut !== undefined) return;
        output?.spend(chunk.length);
        reader.push(chunk);
        // What was read may cost more than its bytes: many short lines are many events.
        if (output?.cut !== undefined) this.killNow(describeCut(output.cut));
      });
      stream.once('error', () => resolve());
      stream.once('close', () => resolve());
    });
    reader.end();
  }

  #origin(): Origin {
    return { pid: this.pid, owner: this.#owner, seen: () => this.#watch.survivors() };
  }

  #clearUp(): void {
    killAllOf(this.#origin());
  }
}

function letProcessEndBefore(child: ChildProcess, { stdout, stderr }: Output): void {
  child.unref();
  // Node's types know pipes as streams only.
  // Those of Bun keep nothing alive, and have no such method.
  for (const pipe of [child.stdin, stdout, stderr]) (pipe as Partial<Socket> | null)?.unref?.();
}

/** Starts it with real pipes for what it prints, where there are some. */
async function startedProcess(
  [file = '', ...args]: readonly string[],
  { cwd, env, input }: Pick<ChildOptions, 'cwd' | 'env' | 'input'>,
): Promise<{ process: ChildProcess; pid: number; output: Output }> {
  const pipes = takePipes(2) ?? [];
  const [out, err] = pipes;
  try {
    const process = spawn(file, args, {
      ...{ cwd, env, detached: true },
      stdio: [input === 'open' ? 'pipe' : 'ignore', out?.write ?? 'pipe', err?.write ?? 'pipe'],
    });
    const { pid } = process;
    if (pid === undefined) throw await new Promise<Error>((resolve) => process.once('error', resolve));
    const output = out && err ? { stdout: readFrom(out), stderr: readFrom(err) } : process;
    return { process, pid, output };
  } catch (cause) {
    for (const pipe of pipes) closePipe(pipe);
    throw cause;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

function notStarted(file: string, cwd: string, cause: Error): UnderstudyError {
  // The limit is of this machine: nothing is wrong with the program.
  if (/^E[MN]FILE$/.test((cause as NodeJS.ErrnoException).code ?? '')) return asUnderstudyError(cause, file);
  return new UnderstudyError('PROCESS_NOT_STARTED', `cannot start ${file}: ${cause.message}`, {
    fix: `Check that ${file} exists, is executable, and that ${cwd} is a folder.`,
    cause,
  });
}
