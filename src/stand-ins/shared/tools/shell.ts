import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { BoundedText } from '../../../process/bounded-text.js';
import { adoptGroup, exitOnSignals, killGroup } from '../../../process/child-groups.js';

/** How a shell command ended. */
export interface ShellRun {
  /** 137 when a signal ended the shell. */
  exitCode: number;
  /** What came on stdout and stderr, in the order in which it came. */
  output: string;
  timedOut: boolean;
  /** The folder in which the shell ended, with links resolved; absent when it was killed. */
  finalCwd?: string;
}

export interface ShellOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs?: number;
  signal?: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 120_000;
/** A background process may keep the output open after the shell has ended. */
const OUTPUT_GRACE_MS = 200;
/** After a kill the output closes at once, unless a process has left the group. */
const KILL_GRACE_MS = 2000;
const KILLED = 137;
/** The shell writes its last folder to this descriptor. */
const CWD_DESCRIPTOR = 3;

/**
 * Runs a command in a shell until the shell ends, the time is over or the signal is aborted. In the last two cases
 * all processes of its group are killed, and the signal's reason is thrown. What it leaves running in the background
 * ends with this program.
 */
export async function runShell(command: string, options: ShellOptions): Promise<ShellRun> {
  const { cwd, env, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = options;
  exitOnSignals();
  const child = spawn(shellProgram(), ['-c', `trap 'pwd -P >&${CWD_DESCRIPTOR}' EXIT\n${command}\n`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that all of it can be killed.
    detached: true,
  });
  adoptGroup(child.pid);
  const output = new BoundedText();
  const keep = (text: string): void => output.add(text);
  // Each stream has a decoder of its own: a character may be split between two chunks.
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  const cwdChunks: Buffer[] = [];
  child.stdio[CWD_DESCRIPTOR]?.on('data', (chunk: Buffer) => cwdChunks.push(chunk));
  let killed = false;
  let timedOut = false;
  const kill = (): void => {
    killed = true;
    killGroup(child.pid);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted) kill();
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? KILLED));
      child.once('exit', (code) =>
        setTimeout(() => resolve(code ?? KILLED), killed ? KILL_GRACE_MS : OUTPUT_GRACE_MS).unref(),
      );
    });
    if (signal?.aborted) throw signal.reason;
    const finalCwd = Buffer.concat(cwdChunks).toString('utf8').trimEnd();
    return { exitCode, output: output.text, timedOut, ...(finalCwd === '' ? {} : { finalCwd }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
  }
}

function shellProgram(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
}
