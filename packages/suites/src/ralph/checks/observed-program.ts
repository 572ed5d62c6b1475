/** What was observed of a program that calls agents: its runs, and the records that it left. */
export interface ObservedProgram {
  runs: readonly { stdout: string; stderr: string }[];
  /** The last run. */
  last: { code: number | null } | undefined;
  /** The harness ended it at its deadline. */
  timedOut: boolean;
  /** Processes that it started and that outlived it. */
  leftovers: readonly string[];
  events: readonly ObservedEvent[];
  iterations: readonly ObservedIteration[];
  /** Why its loop ended, by its own record. */
  termination: string | undefined;
  /** A file of the workspace, if it is there. */
  read(file: string): string | undefined;
}

/** An event that agents publish for each other. */
export interface ObservedEvent {
  topic: string;
  payload: string;
  /** The hat that wrote it, where that is recorded. */
  source?: string;
}

/** One iteration of a loop. What is not recorded is absent. */
export interface ObservedIteration {
  hat?: string;
  prompt?: string;
  output?: string;
}

/** What reports say of a thing that is not recorded. */
export const NOT_RECORDED = 'not recorded';
