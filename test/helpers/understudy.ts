import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { isolation } from './isolation.js';

/** The built command line, as a user starts it. */
export const UNDERSTUDY = resolve('dist/bin/understudy.js');

export interface RunResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string;
  cwd?: string;
  env?: Record<string, string>;
}

/** Runs the built understudy to its end, in a clean environment. */
export function runUnderstudy(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return runProgram([process.execPath, UNDERSTUDY, ...args], options);
}

/** Runs a program to its end, in a clean environment. */
export function runProgram([program = '', ...args]: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return new Promise((settle, fail) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? process.cwd(),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        NO_COLOR: '1',
        UNDERSTUDY_ISOLATION: isolation,
        ...options.env,
      },
    });
    endWithTest(child);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.on('error', fail);
    child.on('close', (code, signal) => settle({ code, signal, stdout, stderr }));
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
  });
}

/** A test that runs out of time leaves nothing running. */
function endWithTest(child: ChildProcess): void {
  try {
    onTestFinished(() => {
      child.kill();
      // One that is stuck in a system call does not feel that.
      setTimeout(() => child.kill('SIGKILL'), 5_000).unref();
    });
  } catch {
    // It is started before the tests, for all of them.
  }
}
