import type { Stage } from '@understudy/agents';
import type { OutputBudget } from '@understudy/kit';
import type { CassetteOptions } from './cassette.js';
import type { PluginLooks } from './plugin-looks.js';
import type { SnapshotOptions } from './snapshot.js';

export interface RehearseOptions {
  agent: string;
  /** The agents in place for programs, instead of those that the rehearsal names. */
  agents?: readonly string[] | undefined;
  stage: Stage;
  /** The model with which the agent is started. */
  model?: string | undefined;
  /** Milliseconds for each step that does not say it itself. */
  timeoutMs?: number | undefined;
  /** How far agents and programs are kept apart from this machine; by default the best that works. */
  isolation?: string | undefined;
  /** An empty folder for the project, the events and the requests. */
  folder: string;
  snapshots: SnapshotOptions;
  /** Its recording, and what is done with it. */
  cassette: CassetteOptions & { file: string };
  /** What was found out about plugins in this run. */
  pluginLooks: PluginLooks;
  /** Called when a step begins. */
  onStep?: (number: number, total: number, send: string) => void;
  /** Ends the conversation at once. */
  signal?: AbortSignal;
  /** What this rehearsal and others may write together. */
  output?: OutputBudget;
}
