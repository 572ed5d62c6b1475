/** That a task has ended in the background, or a hook that wakes the agent: the CLI tells the agent of it. */
export interface TaskNotice {
  /** What the agent reads. */
  text: string;
  /** That of a task. */
  runId?: string;
  /** What the agent is told before it. */
  reminders: string[];
}

/** A subagent that the session has started. */
export interface SpawnedAgent {
  type: string;
  /** Where the call wanted it to run. */
  requested: 'background' | 'foreground' | 'unset';
  inBackground: boolean;
  depth: number;
  hasFailed: boolean;
}
