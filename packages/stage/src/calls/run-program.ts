import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CALLS_VARIABLE } from '@understudy/agents';
import {
  type Child,
  defined,
  type Enclosure,
  type Environment,
  type OutputBudget,
  type ProgramEnd,
  runToEnd,
} from '@understudy/kit';

/** A signal that a program gets while it runs. */
export interface PlannedSignal {
  send: NodeJS.Signals;
  afterMs?: number | undefined;
  /** When this call has begun. */
  afterCall?: number | undefined;
  to: 'program' | 'group';
}

export interface ProgramOptions {
  command: readonly string[];
  cwd: string;
  env: Environment;
  /** Where it is started; absent, as it is. */
  enclosure?: Enclosure | undefined;
  stdin?: string | undefined;
  timeoutMs: number;
  signal?: PlannedSignal | undefined;
  interrupted?: AbortSignal | undefined;
  /** What it and others may write together. */
  output?: OutputBudget | undefined;
}

/** What was seen of a program that has ended. */
export interface EndedProgram extends ProgramEnd {
  cwd: string;
  /** Absent if it had to be killed. */
  leftovers?: string[];
}

const LOOK_EVERY_MS = 10;

/** Runs a program to its end or to its deadline, with a signal on the way if one is planned. */
export async function runProgram(options: ProgramOptions): Promise<EndedProgram> {
  const { command, cwd, env, enclosure, stdin, timeoutMs, signal, interrupted, output } = options;
  const outcome = await runToEnd({
    ...{ command, cwd, env, enclosure, interrupted, deadlineMs: timeoutMs, noteLeftovers: true },
    ...defined({ input: stdin, output }),
    ...(signal === undefined ? {} : { whileRunning: (child) => sendLater(child, signal, env[CALLS_VARIABLE] ?? '') }),
  });
  const { code, signal: by, stdout, stderr, milliseconds, timedOut, leftovers } = outcome;
  return {
    ...{ command, cwd, code, signal: by, stdout, stderr, milliseconds: Math.round(milliseconds), timedOut },
    ...defined({ leftovers }),
  };
}

function sendLater(child: Child, { send, afterMs = 0, afterCall, to }: PlannedSignal, calls: string): () => void {
  const signalIt = () => (to === 'group' ? child.signalGroup(send) : child.signal(send));
  let timer: NodeJS.Timeout;
  const whenCalled = () => {
    if (afterCall === undefined || hasBegun(join(calls, String(afterCall), 'start')))
      timer = setTimeout(signalIt, afterMs);
    else timer = setTimeout(whenCalled, LOOK_EVERY_MS);
  };
  whenCalled();
  return () => clearTimeout(timer);
}

/** An empty file is about to be written: whoever is killed now would be a call without a name. */
function hasBegun(start: string): boolean {
  return (statSync(start, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
