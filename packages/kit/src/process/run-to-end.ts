import { Child, type ChildOptions, type Exit } from './child.js';
import { describeCut, OutputBudget, PROGRAM_OUTPUT_BYTES } from './output-budget.js';

export interface Outcome extends Exit {
  stdout: string;
  stderr: string;
  /** The deadline came first; what was written until then is kept. */
  timedOut: boolean;
  milliseconds: number;
}

export interface RunOptions extends Omit<ChildOptions, 'onLine' | 'onErrorLine' | 'input'> {
  deadlineMs: number;
  input?: string;
  /** Called when it runs. The returned function is called when it has ended. */
  whileRunning?: (child: Child) => () => void;
  /** Ends it before its time. */
  interrupted?: AbortSignal | undefined;
}

/** Runs a program to its end or to its deadline, and keeps what it wrote. */
export async function runToEnd(options: RunOptions): Promise<Outcome> {
  const started = performance.now();
  const stdout: string[] = [];
  const stderr: string[] = [];
  const { input, deadlineMs, interrupted, whileRunning, ...rest } = options;
  const output = new OutputBudget('program', PROGRAM_OUTPUT_BYTES, options.output);
  const child = await Child.start({
    ...rest,
    output,
    input: input === undefined ? 'closed' : 'open',
    onLine: (line) => stdout.push(line),
    onErrorLine: (line) => stderr.push(line),
  });
  if (input !== undefined) {
    child.write(input);
    child.closeInput();
  }
  const onInterrupt = () => child.killNow('interrupted');
  interrupted?.addEventListener('abort', onInterrupt, { once: true });
  if (interrupted?.aborted === true) onInterrupt();
  const stop = whileRunning?.(child);
  const exit = await child.exitWithin(deadlineMs, 'deadline');
  stop?.();
  interrupted?.removeEventListener('abort', onInterrupt);
  if (output.cut !== undefined) stderr.push(`understudy ended it: ${describeCut(output.cut)}`);
  return {
    ...exit,
    stdout: stdout.join('\n'),
    stderr: stderr.join('\n'),
    timedOut: exit.killedBy === 'deadline',
    milliseconds: performance.now() - started,
  };
}
