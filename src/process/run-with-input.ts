import { type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { BoundedText } from './bounded-text.js';
import { adoptGroup, killGroup } from './child-groups.js';

export interface RunWithInputOptions {
  /** A program with its arguments, or one line for the shell. */
  command: { program: string; args: readonly string[] } | { shellLine: string };
  /** Written to its stdin, which is then closed. */
  input: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** What it leaves running stays when we end: whoever started us ends it. */
  leavesGroup?: boolean;
  signal?: AbortSignal | undefined;
}

export interface EndedRun {
  stdout: string;
  stderr: string;
  exitCode: number;
  /** The timeout or the signal came first. */
  cancelled: boolean;
  durationMs: number;
}

/** Runs a short program in a process group of its own, with text on its stdin, and keeps all that it wrote. */
export async function runWithInput(options: RunWithInputOptions): Promise<EndedRun> {
  const started = Date.now();
  const child = start(options);
  if (options.leavesGroup !== true) adoptGroup(child.pid);
  const stdout = new BoundedText();
  const stderr = new BoundedText();
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.add(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.add(text));
  // A program that does not read its stdin closes it early.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  let cancelled = false;
  const cancel = (): void => {
    cancelled = true;
    killGroup(child.pid);
  };
  const timer = setTimeout(cancel, options.timeoutMs);
  options.signal?.addEventListener('abort', cancel, { once: true });
  const exitCode = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      stderr.add(error.message);
      resolve(127);
    });
    child.once('close', (code) => resolve(code ?? 1));
    // A process that it left running may hold its output open. Its own end is what counts.
    child.once('exit', (code) => setTimeout(() => resolve(code ?? 1), 100).unref());
  });
  clearTimeout(timer);
  options.signal?.removeEventListener('abort', cancel);
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: cancelled ? 1 : exitCode,
    cancelled,
    durationMs: Date.now() - started,
  };
}

function start({ command, cwd, env }: RunWithInputOptions): ChildProcessWithoutNullStreams {
  // A group of its own, so that what a shell started ends with it.
  const how: SpawnOptionsWithoutStdio = { cwd, env, detached: true };
  if ('shellLine' in command) return spawn(command.shellLine, { ...how, shell: '/bin/sh' });
  return spawn(command.program, [...command.args], how);
}
