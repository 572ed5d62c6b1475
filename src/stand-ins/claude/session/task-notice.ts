import type { JsonObject } from '../../../document/json.js';

/** That a task has ended in the background, or a hook that wakes the agent: the CLI tells the agent of it. */
export interface TaskNotice {
  /** What the agent reads. */
  text: string;
  /** That of a task. */
  runId?: string;

  /** The subagent that is told; without it, it is the agent of the session. */
  owner?: string;
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

/** A command that runs in the background, or has ended without anybody being told yet. */
export interface BackgroundCommand {
  id: string;
  runId: string;
  toolUseId: string;
  command: string;
  description: string;
  outputFile: string;
  /** The subagent that has started it. */
  owner: string | undefined;
  /** How a host sees it in the list of tasks. */
  listed: JsonObject;
  ended: Promise<void>;
  /** How it ended; what it printed is in the file. */
  run?: { exitCode: number; timedOut: boolean };
  /** It had its moment to end. */
  isKnown: boolean;
  /** It ended with the subagent that had started it. */
  isKilled: boolean;
  kill(): void;
}
