import { type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio, spawn } from 'node:child_process';
import { adoptGroup, killGroup } from '../../process/child-groups.js';
import type { Hook, HookInput, HookRun } from './hook.js';

/** A hook that says nothing else may take this long. */
export const DEFAULT_HOOK_TIMEOUT_MS = 60_000;

export interface HookCommandOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  defaultTimeoutMs?: number;
  signal?: AbortSignal;
}

/** Runs one command hook as the CLI does, with its input on stdin. */
export async function runHookCommand(hook: Hook, input: HookInput, options: HookCommandOptions): Promise<HookRun> {
  const started = Date.now();
  const child = spawnHook(hook, options);
  adoptGroup(child.pid);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A hook that does not read its stdin closes it early.
  child.stdin.on('error', () => {});
  child.stdin.end(`${JSON.stringify(input)}\n`);
  let cancelled = false;
  const cancel = (): void => {
    cancelled = true;
    killGroup(child.pid);
  };
  const timer = setTimeout(cancel, hook.timeoutMs ?? options.defaultTimeoutMs ?? DEFAULT_HOOK_TIMEOUT_MS);
  options.signal?.addEventListener('abort', cancel, { once: true });
  const exitCode = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      stderr += error.message;
      resolve(127);
    });
    child.once('close', (code) => resolve(code ?? 1));
    // Something that the hook left running may hold its output open: its own end is what counts.
    child.once('exit', (code) => setTimeout(() => resolve(code ?? 1), 100).unref());
  });
  clearTimeout(timer);
  options.signal?.removeEventListener('abort', cancel);
  const outcome = cancelled ? 'cancelled' : exitCode === 0 ? 'success' : 'error';
  return { hook, stdout, stderr, exitCode: cancelled ? 1 : exitCode, outcome, durationMs: Date.now() - started };
}

/** Through the shell, which fills in `${CLAUDE_PLUGIN_ROOT}` itself; with `args`, the program without a shell. */
function spawnHook(hook: Hook, options: HookCommandOptions): ChildProcessWithoutNullStreams {
  const { command, args } = hook.run.type === 'command' ? hook.run : { command: 'true', args: undefined };
  const env = { ...options.env, ...pluginEnvironment(hook) };
  // A group of its own, so that what the shell started ends with it.
  const how: SpawnOptionsWithoutStdio = { cwd: options.cwd, env, detached: true };
  if (args !== undefined) {
    const filled = [command, ...args].map((part) => fillIn(part, env));
    return spawn(filled[0] ?? command, filled.slice(1), how);
  }
  const prefix = env['CLAUDE_CODE_SHELL_PREFIX'];
  return spawn(prefix === undefined ? command : `${prefix} ${quoted(command)}`, { ...how, shell: '/bin/sh' });
}

function fillIn(text: string, env: NodeJS.ProcessEnv): string {
  return text.replace(
    /\$\{(CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA|CLAUDE_PROJECT_DIR)\}/g,
    (whole, name: string) => env[name] ?? whole,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

function pluginEnvironment({ plugin }: Hook): NodeJS.ProcessEnv {
  return plugin === undefined ? {} : { CLAUDE_PLUGIN_ROOT: plugin.root };
}
