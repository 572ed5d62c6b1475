import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../process/environment.js';
import { runToEnd } from '../process/run-to-end.js';
import type { StepRun } from './observation.js';

const MARK = 'UNDERSTUDY_SUITE_RUN';
const LEFTOVERS = '.leftovers';

/**
 * Calls the orchestrator, and then looks who is still there: everything that it started inherits
 * the mark. They are named, and ended. Only Linux can be asked; elsewhere nobody is found.
 */
const WRAPPER = `
"$@"
code=$?
for file in $(grep -lzxF "${MARK}=$${MARK}" /proc/[0-9]*/environ 2>/dev/null); do
  pid=\${file#/proc/}; pid=\${pid%/environ}
  [ "$pid" != "$$" ] && kill -0 "$pid" 2>/dev/null && tr '\\0' ' ' < "/proc/$pid/cmdline" && echo "($pid)" && kill -KILL "$pid"
done > ${LEFTOVERS} 2>/dev/null
exit $code
`;

export interface ExecuteOptions {
  command: readonly string[];
  cwd: string;
  env: Environment;
  timeoutMs: number;
  interrupted?: AbortSignal | undefined;
}

/** Runs one call to its end or to its deadline, in a process group of its own. What was seen is kept. */
export async function execute(options: ExecuteOptions): Promise<StepRun> {
  const { command, cwd, env, timeoutMs, interrupted } = options;
  const mark = randomBytes(8).toString('hex');
  rmSync(join(cwd, LEFTOVERS), { force: true });
  const outcome = await runToEnd({
    command: ['/bin/sh', '-c', WRAPPER, 'sh', ...command],
    cwd,
    env: { ...env, [MARK]: mark },
    deadlineMs: timeoutMs,
    interrupted,
  });
  const { code, signal, stdout, stderr, milliseconds, timedOut } = outcome;
  return {
    command,
    code,
    signal,
    stdout,
    stderr,
    milliseconds: Math.round(milliseconds),
    timedOut,
    leftovers: readLeftovers(cwd),
  };
}

function readLeftovers(cwd: string): string[] {
  try {
    return readFileSync(join(cwd, LEFTOVERS), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  } catch {
    return [];
  } finally {
    rmSync(join(cwd, LEFTOVERS), { force: true });
  }
}
