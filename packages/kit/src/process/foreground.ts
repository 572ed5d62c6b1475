import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { UnderstudyError } from '../errors.js';
import type { Enclosure } from './enclosure.js';
import type { Environment } from './environment.js';
import { describeLeftovers } from './find-leftovers.js';
import { markChild } from './owner-mark.js';
import { killAllOf, livingProcessesOf } from './process-table.js';
import { reapIfLeft, releaseFromReaper } from './reaper.js';

export interface ForegroundOptions {
  command: readonly string[];
  env: Environment;
  /** Where it is started; absent, as it is. */
  enclosure?: Enclosure | undefined;
  /** Its output goes to our stderr, because our stdout is for something else. */
  outputToStderr?: boolean;
}

export interface ForegroundExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  milliseconds: number;
  /** What it had started and did not end, as command lines. They are ended, too. */
  leftovers: string[];
}

/** So long a command has to end after a SIGTERM. */
const GRACE_MS = 10_000;

const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/** Runs a command in our place: our terminal, our input and output, our process group. Signals that we get are its. */
export async function runInForeground({
  command,
  env,
  outputToStderr,
  enclosure,
}: ForegroundOptions): Promise<ForegroundExit> {
  const [file] = command;
  if (file === undefined) throw new UnderstudyError('PROCESS_NO_COMMAND', 'there is no command to start');
  const started = performance.now();
  const { owner, env: marked } = markChild(env);
  reapIfLeft('owner', owner);
  let child: ChildProcess | undefined;
  // From before its start on: what it prints first may already be answered with a signal. Node calls us afterwards.
  const enclosed = enclosure?.enclose(command, { cwd: process.cwd(), env: marked });
  let patience: NodeJS.Timeout | undefined;
  const forward = (signal: NodeJS.Signals) => {
    // Whoever ends us does not want to wait for a command that does not end.
    if (signal === 'SIGTERM') patience ??= setTimeout(() => killAllOf({ pid: child?.pid ?? 0, owner }), GRACE_MS);
    const inner = enclosed?.mainPid();
    if (enclosed?.signal !== undefined) enclosed.signal(signal);
    else if (inner === undefined) child?.kill(signal);
    else process.kill(inner, signal);
  };
  for (const signal of FORWARDED) process.on(signal, forward);
  // A terminal signals the command itself, too; without one, we alone got it.
  const onInterrupt = process.stdin.isTTY ? () => {} : forward;
  process.on('SIGINT', onInterrupt);
  try {
    const [program = file, ...args] = enclosed?.command ?? command;
    child = spawn(program, args, {
      env: marked,
      stdio: ['inherit', outputToStderr === true ? 2 : 'inherit', 'inherit'],
    });
    enclosed?.started(child.pid ?? 0);
    const [plainCode, plainSignal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    const plain = { code: plainCode, signal: plainSignal };
    const { code, signal, leftovers: left } = enclosed?.conclude(plain) ?? { ...plain, leftovers: undefined };
    const of = { pid: child.pid ?? 0, owner };
    const leftovers = left ?? (await describeLeftovers(livingProcessesOf(of)));
    killAllOf(of);
    return { code, signal, milliseconds: Math.round(performance.now() - started), leftovers };
  } catch (cause) {
    throw new UnderstudyError('PROCESS_NOT_STARTED', `cannot start ${file}: ${(cause as Error).message}`, {
      fix: `Check that ${file} exists and is executable.`,
      cause,
    });
  } finally {
    clearTimeout(patience);
    for (const signal of FORWARDED) process.off(signal, forward);
    process.off('SIGINT', onInterrupt);
    releaseFromReaper('owner', owner);
  }
}
