import { UnderstudyError } from '../errors.js';
import { Child } from '../process/child.js';
import type { Environment } from '../process/environment.js';
import { readOutput } from './agent-output.js';
import type { Invocation } from './backend.js';

/** Why an agent's run came to its end. */
export type Ending = 'exit' | 'runtime' | 'idle' | 'interrupted' | 'not_started';

/** One run of an agent, and what came of it. */
export interface AgentRun {
  text: string;
  stderr: string;
  code: number | null;
  signal: string | null;
  ending: Ending;
  /** It did not end well, by its exit or by its own record. */
  failed: boolean;
  milliseconds: number;
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
  onText?: (text: string) => void;
}

/** How long a process group has to go by itself. */
const GRACE_MS = 2000;
const KEPT_STDERR_LINES = 200;

/** Runs an agent in a process group of its own. Whatever happens, nothing of it is left. */
export async function runAgent(options: AgentOptions): Promise<AgentRun> {
  const { invocation, cwd, env, interrupted } = options;
  const output = readOutput(invocation.output);
  const stderr: string[] = [];
  const started = performance.now();
  let lastSign = started;
  let child: Child;
  try {
    child = await Child.start({
      command: invocation.command,
      cwd,
      env,
      input: invocation.input === undefined ? 'closed' : 'open',
      onLine: (line) => {
        lastSign = performance.now();
        const said = output.take(line);
        if (said !== '') options.onText?.(said);
      },
      onErrorLine: (line) => {
        lastSign = performance.now();
        stderr.push(line);
        if (stderr.length > KEPT_STDERR_LINES) stderr.shift();
      },
    });
  } catch (error) {
    if (!(error instanceof UnderstudyError)) throw error;
    return {
      text: '',
      stderr: error.message,
      code: null,
      signal: null,
      ending: 'not_started',
      failed: true,
      milliseconds: 0,
    };
  }
  if (invocation.input !== undefined) {
    child.write(invocation.input);
    child.closeInput();
  }

  let ending: Ending = 'exit';
  const end = (why: Ending) => {
    if (ending !== 'exit' || child.hasEnded) return;
    ending = why;
    void endGroup(child, why);
  };
  const onInterrupt = () => end('interrupted');
  interrupted.addEventListener('abort', onInterrupt, { once: true });
  if (interrupted.aborted) onInterrupt();
  const deadline = setTimeout(() => end('runtime'), options.runtimeMs);
  const { idleMs } = options;
  const watch =
    idleMs && setInterval(() => performance.now() - lastSign > idleMs && end('idle'), Math.min(idleMs / 4, 1000));
  const exit = await child.exited;
  clearTimeout(deadline);
  if (watch) clearInterval(watch);
  interrupted.removeEventListener('abort', onInterrupt);
  return {
    text: output.text,
    stderr: stderr.join('\n'),
    code: exit.code,
    signal: exit.signal,
    ending,
    failed: ending !== 'exit' || exit.code !== 0 || output.failed,
    milliseconds: Math.round(performance.now() - started),
  };
}

/** Asks the whole group to go, and kills what is still there after the grace. */
async function endGroup(child: Child, reason: string): Promise<void> {
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It went by itself.
  }
  await child.exitWithin(GRACE_MS, reason);
}
