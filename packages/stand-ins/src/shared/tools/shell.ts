import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { tellStarted } from '@understudy/agents';
import { adoptGroup, BoundedText, defined, exitOnSignals, killGroup, readFrom, takePipes } from '@understudy/kit';

/** How a shell command ended. */
export interface ShellRun {
  /** 137 when a signal ended the shell. */
  exitCode: number;
  /** What came on stdout and stderr, in the order in which it came. */
  output: string;
  timedOut: boolean;
  pid: number | undefined;
  /** The signal that ended the shell. */
  signal?: NodeJS.Signals;
  /** It still runs: `yieldMs` were over. */
  running?: true;
  /** The folder in which the shell ended, with links resolved; absent when it was killed. */
  finalCwd?: string;
}

export interface ShellOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** `Infinity` for no limit. */
  timeoutMs?: number;
  /** After this time the run is reported as it is, and goes on. It ends with this program at the latest. */
  yieldMs?: number;
  /** Waits for what runs in the background, too, as long as it holds the output open. */
  untilClosed?: boolean;
  /** The command line of the shell, where it matters to the CLI. Without it, the shell's last folder is found out. */
  commandLine?: readonly [program: string, ...args: string[]];
  signal?: AbortSignal;
}

/** A shell that has been started. */
interface RunningShell {
  pid: number | undefined;
  /** What it does in the end. The reason of the signal is thrown. */
  ended: Promise<ShellRun>;
  /** What it has printed so far. */
  output(): string;
  /** Nobody waits for it any more: neither the signal nor the time ends it. */
  letGo(): void;
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** A background process may keep the output open after the shell has ended. */
const OUTPUT_GRACE_MS = 200;
/** After a kill the output closes at once, unless a process has left the group. */
const KILL_GRACE_MS = 2000;
const KILLED = 137;
/** A timer with more than this goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** The shell writes its last folder to this descriptor. */
const CWD_DESCRIPTOR = 3;

/**
 * Runs a command in a shell until the shell ends, the time is over or the signal is aborted. In the last two cases
 * all processes of its group are killed, and the signal's reason is thrown. What it leaves running in the background
 * ends with this program.
 */
export async function runShell(command: string, { yieldMs, ...options }: ShellOptions): Promise<ShellRun> {
  const shell = startShell(command, options);
  if (yieldMs === undefined) return shell.ended;
  const run = await endedWithin(shell, yieldMs);
  if (run !== undefined) return run;
  shell.letGo();
  return { exitCode: 0, output: shell.output(), timedOut: false, pid: shell.pid, running: true };
}

/** How a shell ended, unless it still runs after this time. */
async function endedWithin({ ended }: RunningShell, milliseconds: number): Promise<ShellRun | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.min(milliseconds, LONGEST_TIMER_MS));
  });
  return Promise.race([ended, over]).finally(() => clearTimeout(timer));
}

/** Starts a command as `runShell` does. */
function startShell(command: string, options: Omit<ShellOptions, 'yieldMs'>): RunningShell {
  const { cwd, env, timeoutMs = DEFAULT_TIMEOUT_MS, untilClosed = false, signal } = options;
  exitOnSignals();
  const [program, ...args] = options.commandLine ?? [
    shellProgram(),
    '-c',
    `exec 2>&1; trap 'pwd -P >&${CWD_DESCRIPTOR}' EXIT; ${command}\n`,
  ];
  const [pipe] = takePipes(1) ?? [];
  const child = spawn(program, args, {
    cwd,
    env,
    // One pipe for both: what comes out of two has no order.
    stdio: ['ignore', pipe?.write ?? 'pipe', pipe?.write ?? 'pipe', 'pipe'],
    // A group of its own, so that all of it can be killed.
    detached: true,
  });
  adoptGroup(child.pid);
  if (child.pid !== undefined) tellStarted(child.pid);
  const output = new BoundedText();
  const streams = pipe === undefined ? [child.stdout, child.stderr] : [readFrom(pipe)];
  // Each stream has a decoder of its own: a character may be split between two chunks.
  for (const stream of streams) stream?.setEncoding('utf8').on('data', (text: string) => output.add(text));
  const isRead = Promise.all(
    streams.map((stream) => stream && new Promise((resolve) => stream.once('close', resolve))),
  );
  const cwdChunks: Buffer[] = [];
  const cwdPipe = child.stdio[CWD_DESCRIPTOR] as Readable | undefined;
  cwdPipe?.on('data', (chunk: Buffer) => cwdChunks.push(chunk));
  let killed = false;
  let timedOut = false;
  /** What to do when it was killed after the shell itself had ended. */
  let afterKill = (): void => {};
  const kill = (): void => {
    killed = true;
    killGroup(child.pid);
    afterKill();
  };
  let timer: NodeJS.Timeout | undefined;
  const noLimit = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  };
  if (Number.isFinite(timeoutMs))
    timer = setTimeout(
      () => {
        timedOut = true;
        kill();
      },
      Math.min(timeoutMs, LONGEST_TIMER_MS),
    );
  let isWaited = true;
  let endedBy: NodeJS.Signals | undefined;
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted) kill();
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', async (code) => {
      await isRead;
      const ended = (): void => resolve(code ?? KILLED);
      // In a compiled program only the usual streams have ended by now.
      if (cwdPipe === undefined || cwdPipe.readableEnded || cwdPipe.destroyed) return ended();
      cwdPipe.once('end', ended);
      setTimeout(ended, OUTPUT_GRACE_MS).unref();
    });
    child.once('exit', (code, by) => {
      endedBy = by ?? undefined;
      const resolveWithin = (milliseconds: number): void => {
        setTimeout(() => resolve(code ?? KILLED), milliseconds).unref();
      };
      // What left the group still holds the output.
      if (untilClosed && !killed) afterKill = () => resolveWithin(KILL_GRACE_MS);
      else resolveWithin(killed ? KILL_GRACE_MS : OUTPUT_GRACE_MS);
    });
  });
  const ended = exited.finally(noLimit).then((exitCode): ShellRun => {
    if (isWaited && signal?.aborted) throw signal.reason;
    const finalCwd = Buffer.concat(cwdChunks).toString('utf8').trimEnd();
    const run = { exitCode, output: output.text, timedOut, pid: child.pid };
    return { ...run, ...defined({ signal: endedBy, finalCwd: finalCwd === '' ? undefined : finalCwd }) };
  });
  return {
    pid: child.pid,
    ended,
    output: () => output.text,
    letGo: () => {
      isWaited = false;
      noLimit();
      // Who let go of it may not care how it ends.
      ended.catch(() => {});
    },
  };
}

/** The shell that agents use. */
export function shellProgram(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
}
