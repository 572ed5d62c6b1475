import { constants } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import type { IPty } from '@lydell/node-pty';
import {
  describeProcess,
  type ForegroundExit,
  type ForegroundOptions,
  killAllOf,
  livingProcessesOf,
  markChild,
  reapIfLeft,
  releaseFromReaper,
  UnderstudyError,
  visible,
} from '@understudy/kit';
import { takeKeepKey } from './keep-key.js';
import { loadTerminalPackages } from './optional-packages.js';

export interface AttachedOptions extends ForegroundOptions {
  /** Called when the key is pressed; what it gives is shown in the first row. */
  onKeep(): string;
}

const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGINT'] as const;

/**
 * Runs a command in a terminal of its own that looks like ours: what it prints we print, and what is typed here it gets,
 * but for the key that keeps a recording.
 */
export async function runAttached({ command, env, enclosure, onKeep }: AttachedOptions): Promise<ForegroundExit> {
  const { spawn } = loadTerminalPackages();
  const [file] = command;
  if (file === undefined) throw new UnderstudyError('PROCESS_NO_COMMAND', 'there is no command to start');
  const { stdin, stdout } = process;
  const started = performance.now();
  const { owner, env: marked } = markChild(env);
  reapIfLeft('owner', owner);
  const enclosed = enclosure?.enclose(command, { cwd: process.cwd(), env: marked });
  const [program = file, ...args] = enclosed?.command ?? command;
  const pty = startIn(spawn, program, args, marked);
  enclosed?.started(pty.pid);
  const wasRaw = stdin.isRaw;
  const decoder = new StringDecoder('utf8');
  const onTyped = (bytes: Buffer) => {
    const { rest, pressed } = takeKeepKey(decoder.write(bytes));
    if (rest !== '') pty.write(rest);
    if (pressed) stdout.write(inFirstRow(onKeep()));
  };
  const onResize = () => pty.resize(stdout.columns, stdout.rows);
  const onSignal = (signal: NodeJS.Signals) => pty.kill(signal);
  try {
    const ended = new Promise<{ exitCode: number; signal?: number }>((resolve) => pty.onExit(resolve));
    pty.onData((data) => {
      if (stdout.write(data)) return;
      pty.pause();
      stdout.once('drain', () => pty.resume());
    });
    stdin.setRawMode(true).on('data', onTyped).resume();
    stdout.on('resize', onResize);
    for (const signal of FORWARDED) process.on(signal, onSignal);
    const { exitCode, signal: number = 0 } = await ended;
    const plain = number === 0 ? { code: exitCode, signal: null } : { code: null, signal: signalOf(number) };
    const { code, signal, leftovers: left } = enclosed?.conclude(plain) ?? { ...plain, leftovers: undefined };
    const of = { pid: pty.pid, owner };
    const leftovers = left ?? livingProcessesOf(of).flatMap((pid) => describeProcess(pid) ?? []);
    killAllOf(of);
    return { code, signal, milliseconds: Math.round(performance.now() - started), leftovers };
  } finally {
    for (const signal of FORWARDED) process.off(signal, onSignal);
    stdout.off('resize', onResize);
    stdin.off('data', onTyped).setRawMode(wasRaw).pause();
    releaseFromReaper('owner', owner);
  }
}

function startIn(
  spawn: ReturnType<typeof loadTerminalPackages>['spawn'],
  program: string,
  args: string[],
  env: ForegroundOptions['env'],
): IPty {
  try {
    const { columns: cols, rows } = process.stdout;
    return spawn(program, args, { name: env['TERM'] ?? 'xterm-256color', cwd: process.cwd(), env, cols, rows });
  } catch (cause) {
    throw new UnderstudyError('PROCESS_NOT_STARTED', `cannot start ${program}: ${(cause as Error).message}`, {
      fix: `Check that ${program} exists and is executable.`,
      cause,
    });
  }
}

function signalOf(number: number): NodeJS.Signals {
  const [name = 'SIGKILL'] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return name as NodeJS.Signals;
}

/** The cursor stays where it is: the program draws on from there. */
function inFirstRow(text: string): string {
  return `\u001b7\u001b[1;1H\u001b[2K\u001b[7m ${visible(text).replaceAll('\n', ' ')} \u001b[0m\u001b8`;
}
