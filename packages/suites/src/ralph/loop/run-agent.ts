import { Child, type Environment, type Exit, UnderstudyError } from '@understudy/kit';
import { readOutput } from './agent-output.js';
import type { Invocation } from './backend.js';

/** Why an agent's run ended. */
export type Ending = 'exit' | 'runtime' | 'idle' | 'interrupted' | 'not_started';

/** One run of an agent, and its result. */
export interface AgentRun {
  /** The agent's text. */
  output: string;
  stderr: string;
  code: number | null;
  signal: string | null;
  ending: Ending;
  /** It failed, by its exit code or by its own record. */
  failed: boolean;
  milliseconds: number;
  /** Absent where the agent's output does not report them. */
  toolCalls?: number | undefined;
  outputTokens?: number | undefined;
  costUsd?: number | undefined;
}

export interface AgentOptions {
  invocation: Invocation;
  cwd: string;
  env: Environment;
  /** How long it may take. */
  runtimeMs: number;
  /** How long it may be silent. */
  idleMs?: number | undefined;
  interrupted: AbortSignal;
  onText: (text: string) => void;
}

/** How long a process group has to end by itself. */
const GRACE_MS = 2000;
const KEPT_STDERR_LINES = 200;

/** Runs an agent in a process group of its own. Whatever happens, no process of it is left. */
export async function runAgent({ invocation, interrupted, idleMs, ...options }: AgentOptions): Promise<AgentRun> {
  const output = readOutput(invocation.output);
  const stderr: string[] = [];
  const started = performance.now();
  let lastSign = started;
  const result = (ending: Ending, exit: Exit): AgentRun => ({
    output: output.text,
    stderr: stderr.join('\n'),
    code: exit.code,
    signal: exit.signal,
    ending,
    failed: ending !== 'exit' || exit.code !== 0 || output.failed,
    milliseconds: Math.round(performance.now() - started),
    toolCalls: output.toolCalls,
    outputTokens: output.outputTokens,
    costUsd: output.costUsd,
  });

  let child: Child;
  try {
    child = await Child.start({
      command: invocation.command,
      cwd: options.cwd,
      env: options.env,
      input: invocation.input === undefined ? 'closed' : 'open',
      onLine: (line) => {
        lastSign = performance.now();
        const said = output.readLine(line);
        if (said !== '') options.onText(said);
      },
      onErrorLine: (line) => {
        lastSign = performance.now();
        output.readError(line);
        stderr.push(line);
        if (stderr.length > KEPT_STDERR_LINES) stderr.shift();
      },
    });
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    stderr.push(error.message);
    return result('not_started', { code: null, signal: null });
  }
  child.write(invocation.input ?? '');
  child.closeInput();

  let ending: Ending = 'exit';
  const end = (why: Ending) => {
    if (ending !== 'exit' || child.hasEnded) return;
    ending = why;
    signalGroup(child.pid);
    // The end is awaited below.
    child.exitWithin(GRACE_MS, why).catch(() => {});
  };
  const onInterrupt = () => end('interrupted');
  interrupted.addEventListener('abort', onInterrupt, { once: true });
  if (interrupted.aborted) onInterrupt();
  const deadline = setTimeout(() => end('runtime'), options.runtimeMs);
  const watch =
    idleMs && setInterval(() => performance.now() - lastSign > idleMs && end('idle'), Math.min(idleMs / 4, 1000));
  const exit = await child.exited;
  clearTimeout(deadline);
  if (watch) clearInterval(watch);
  interrupted.removeEventListener('abort', onInterrupt);
  return result(ending, exit);
}

/** Asks a whole process group to end. */
function signalGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // It has already ended.
  }
}
