import type { Environment } from './environment.js';

/** How a process ended, as far as its parent knows. */
export interface PlainExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One command that is started inside. */
export interface Enclosed {
  /** What to start instead of the command. */
  command: readonly string[];
  /** Called with the process that was started. */
  started(pid: number): void;
  /** The process that the command itself is, by its id on this machine. Undefined while it is not there yet. */
  mainPid(): number | undefined;
  /** Hands a signal to the command, where its process is not one that we can reach. */
  signal?(signal: NodeJS.Signals): void;
  /** Called before it is killed: the last moment to look inside. */
  ending?(): void;
  /** Called when the outer process has ended: how the command ended, and what it left running. */
  conclude(exit: PlainExit): PlainExit & { leftovers?: string[] };
}

/** Where commands are started so that they reach no more than they need: a sandbox, a container. */
export interface Enclosure {
  enclose(command: readonly string[], start: { cwd: string; env: Environment }): Enclosed;
}
