import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What a tool that was really run gave back. */
export interface LiveResult {
  text: string;
  isError: boolean;
  /** The shell's exit code. */
  exit?: number;
}

export interface LiveContext {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export type Input = Record<string, unknown>;

/** The tools that really do what they say, with their arguments in the generic words. */
export const liveTools = { shell, read, write, edit } as const;

const SHELL_TIMEOUT_MS = 120_000;
/** A background child may hold the output open; the shell's own end is what counts. */
const OUTPUT_GRACE_MS = 200;

async function shell(input: Input, { cwd, env }: LiveContext): Promise<LiveResult> {
  const child = spawn('/bin/sh', ['-c', String(input['command'] ?? '')], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const take = (chunk: Buffer) => {
    text += chunk.toString('utf8');
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const timer = setTimeout(() => child.kill('SIGKILL'), SHELL_TIMEOUT_MS);
  const exit = await new Promise<number>((settle) => {
    child.once('error', () => settle(127));
    child.once('close', (code) => settle(code ?? 137));
    child.once('exit', (code) => setTimeout(() => settle(code ?? 137), OUTPUT_GRACE_MS).unref());
  });
  clearTimeout(timer);
  return { text, isError: exit !== 0, exit };
}

async function read(input: Input, { cwd }: LiveContext): Promise<LiveResult> {
  return attempt(() => readFileSync(pathOf(input, cwd), 'utf8'));
}

async function write(input: Input, { cwd }: LiveContext): Promise<LiveResult> {
  return attempt(() => {
    const path = pathOf(input, cwd);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, String(input['content'] ?? ''));
    return 'Wrote file successfully.';
  });
}

async function edit(input: Input, { cwd }: LiveContext): Promise<LiveResult> {
  return attempt(() => {
    const path = pathOf(input, cwd);
    const before = readFileSync(path, 'utf8');
    const old = String(input['old'] ?? '');
    const found = old === '' ? 0 : before.split(old).length - 1;
    if (found === 0) throw new Error('Could not find the old text in the file.');
    if (found > 1 && input['all'] !== true) throw new Error(`The old text is in the file ${found} times.`);
    const fresh = () => String(input['new'] ?? '');
    writeFileSync(path, input['all'] === true ? before.replaceAll(old, fresh) : before.replace(old, fresh));
    return 'Edit applied successfully.';
  });
}

function pathOf(input: Input, cwd: string): string {
  const path = input['path'];
  if (typeof path !== 'string' || path === '') throw new Error('There is no path.');
  return resolve(cwd, path);
}

function attempt(work: () => string): LiveResult {
  try {
    return { text: work(), isError: false };
  } catch (error) {
    return { text: (error as Error).message, isError: true };
  }
}
