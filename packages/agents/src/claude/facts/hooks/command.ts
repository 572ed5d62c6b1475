import { defined } from '@understudy/kit';
import { fillPluginVariables } from '../variables.js';
import type { Hook, HookInput, HookRun } from './hook.js';
import { readOutput } from './output.js';

/** How long a hook may take that names no timeout. */
const DEFAULT_HOOK_TIMEOUT_MS = 60_000;

/** How the CLI starts a command hook. */
export interface HookCommand {
  command: { program: string; args: readonly string[] } | { shellLine: string };
  /** The payload, which goes to its stdin. */
  input: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
}

export interface HookCommandOptions {
  env: NodeJS.ProcessEnv;
  /** For a hook that names no timeout. */
  defaultTimeoutMs?: number | undefined;
}

/**
 * Says how to start a hook: through the shell, which fills in `${CLAUDE_PLUGIN_ROOT}` itself, or with `args` without
 * one. What a command prefix (CLAUDE_CODE_SHELL_PREFIX) gets is the whole line as one word.
 */
export function hookCommand(hook: Hook, input: HookInput, options: HookCommandOptions): HookCommand {
  const env = { ...options.env, ...defined({ CLAUDE_PLUGIN_ROOT: hook.plugin?.root }) };
  return {
    command: commandOf(hook, env),
    input: `${JSON.stringify(input)}\n`,
    env,
    timeoutMs: hookTimeoutMs(hook, options.defaultTimeoutMs),
  };
}

/** How long a hook may take. */
export function hookTimeoutMs({ timeoutMs }: Hook, usual = DEFAULT_HOOK_TIMEOUT_MS): number {
  return timeoutMs ?? usual;
}

function commandOf({ run }: Hook, env: NodeJS.ProcessEnv): HookCommand['command'] {
  const { command, args } = run.type === 'command' ? run : { command: 'true', args: undefined };
  if (args !== undefined) {
    const fill = (text: string): string => fillPluginVariables(text, env);
    return { program: fill(command), args: args.map(fill) };
  }
  const prefix = env['CLAUDE_CODE_SHELL_PREFIX'];
  return { shellLine: prefix === undefined ? command : `${prefix} ${quoted(command)}` };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** The run of a hook, from how its process ended. */
export function hookRun(
  hook: Hook,
  ended: Pick<HookRun, 'stdout' | 'stderr' | 'exitCode' | 'durationMs'> & { cancelled: boolean },
): HookRun {
  const { cancelled, ...rest } = ended;
  return { hook, ...rest, outcome: cancelled ? 'cancelled' : ended.exitCode === 0 ? 'success' : 'error' };
}

/** The same, as the CLI reports it: what is wrong with the output stands in place of what was written to stderr. */
export function reportedRun(run: HookRun): HookRun {
  const problem = run.outcome === 'cancelled' ? undefined : readOutput(run.hook.event, run.stdout).problem;
  if (problem === undefined || (run.exitCode === 2 && !problem.isFailure)) return run;
  const { message: stderr, isFailure } = problem;
  const failed = { stdout: '', stderr, exitCode: 1 };
  // It objects all the same.
  if (run.exitCode === 2) return { ...run, reported: failed };
  const wrong = { ...run, outcome: 'error', hasWrongOutput: true } as const;
  return isFailure ? { ...wrong, ...failed } : { ...wrong, stderr, reported: { output: run.stdout + run.stderr } };
}
