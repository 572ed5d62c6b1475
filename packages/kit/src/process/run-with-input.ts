import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { BoundedText } from './bounded-text.js';
import { adoptGroup, killGroup } from './child-groups.js';
import type { Enclosed, Enclosure, PlainExit } from './enclosure.js';
import type { Environment } from './environment.js';
import { withLimitMark } from './limit-mark.js';
import { markChild } from './owner-mark.js';
import { reapIfLeft } from './reaper.js';

export interface RunWithInputOptions {
  /** A program with its arguments, or one line for the shell. */
  command: { program: string; args: readonly string[] } | { shellLine: string };
  /** Written to its stdin, which is then closed. */
  input: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Where it is started; absent, as it is. What it leaves running ends with it there. */
  enclosure?: Enclosure | undefined;
  timeoutMs: number;
  /**
   * What becomes of what it leaves running when we end: its group is killed (the default); all that came from it is
   * killed, also when we are killed; or it stays, because whoever started us ends it.
   */
  leftRunning?: 'group' | 'all' | 'stays';
  signal?: AbortSignal | undefined;
  /** Called with all that it has written so far. */
  onOutput?: (stdout: string, stderr: string) => void;
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
  const { child, enclosed } = start(options);
  const stdout = new BoundedText();
  const stderr = new BoundedText();
  const keep = (stream: Readable, kept: BoundedText): void => {
    stream.setEncoding('utf8').on('data', (text: string) => {
      kept.add(text);
      options.onOutput?.(stdout.text, stderr.text);
    });
  };
  keep(child.stdout, stdout);
  keep(child.stderr, stderr);
  // A program that does not read its stdin closes it early.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  let cancelled = false;
  const cancel = (): void => {
    cancelled = true;
    enclosed?.ending?.();
    killGroup(child.pid);
  };
  const timer = setTimeout(cancel, options.timeoutMs);
  options.signal?.addEventListener('abort', cancel, { once: true });
  const exit = await new Promise<PlainExit>((resolve) => {
    child.once('error', (error) => {
      stderr.add(error.message);
      resolve({ code: 127, signal: null });
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
    // A process that it left running may hold its output open. Its own end is what counts.
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), 100).unref());
  });
  clearTimeout(timer);
  const { code } = enclosed?.conclude(exit) ?? exit;
  options.signal?.removeEventListener('abort', cancel);
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: cancelled ? 1 : (code ?? 1),
    cancelled,
    durationMs: Date.now() - started,
  };
}

interface Started {
  child: ChildProcessWithoutNullStreams;
  enclosed?: Enclosed | undefined;
}

function start({ command, cwd, env, enclosure, leftRunning = 'group' }: RunWithInputOptions): Started {
  const plain = 'shellLine' in command ? ['/bin/sh', '-c', command.shellLine] : [command.program, ...command.args];
  const { owner, env: own } = leftRunning === 'all' ? markChild(env) : { owner: undefined, env };
  if (owner !== undefined) reapIfLeft('owner', owner);
  const enclosed = enclosure?.enclose(plain, { cwd, env: own as Environment });
  const [program = '', ...args] = enclosed?.command ?? (owner === undefined ? plain : withLimitMark(plain, owner));
  // A group of its own, so that what a shell started ends with it.
  const child = spawn(program, args, { cwd, env: own, detached: true });
  if (child.pid !== undefined) enclosed?.started(child.pid);
  if (leftRunning !== 'stays') adoptGroup(child.pid, owner);
  return { child, enclosed };
}
