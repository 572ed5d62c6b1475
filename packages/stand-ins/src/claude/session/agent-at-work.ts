import type { Hook, PermissionMode } from '@understudy/agents';
import type { JsonObject } from '@understudy/kit';
import type { SeenFiles } from './seen-files.js';
import type { Transcript, TranscriptLine } from './transcript.js';

export interface RunningSubagent {
  transcript: Transcript;
  seenFiles: SeenFiles;
  /** What it has read of skills itself, by their names. */
  loadedSkills: Map<string, string>;
  /** How its events name it. */
  agent_id: string;
  subagent_type: string;
  task_description: string;
  /** The model that it asks. */
  model: string;
  mode: PermissionMode;
  effort?: string;
  /** Its own hooks. */
  hooks: readonly Hook[];
  /** The only tools that it has; absent: all of the session. */
  tools?: readonly string[];
  /** 1 for one that the agent itself has started. */
  depth: number;
  /** Nothing waits for it: a host receives its text, and no question asks whether it may use a tool. */
  inBackground: boolean;
  /** Says that it uses a tool. */
  progress(tool: string, input: JsonObject): void;
}

/** What each agent of a session has for itself: the agent of the session, or a subagent. */
export class AgentAtWork {
  /** Absent: it is the agent of the session. */
  readonly subagent: RunningSubagent | undefined;
  /** What hooks say to the model: it goes with the next request. */
  notes: string[] = [];
  /** Lines of the transcript about hooks that saw a tool before it ran. */
  hookLinesOfTool: TranscriptLine[] = [];
  /** Lines of the transcript about hooks that saw a tool whose result is not written yet. */
  hookLinesOfResult: TranscriptLine[] = [];
  /** Tools that its conversation has named: its own, and those that its subagents used. */
  readonly namedTools = new Set<string>();

  constructor(subagent?: RunningSubagent) {
    this.subagent = subagent;
  }

  /** Files that it has worked with since somebody looked whether there are instructions for them. */
  readonly touched: string[] = [];

  /** From now on its conversation knows these tools. */
  nameTools(names: readonly string[]): void {
    for (const name of names) this.namedTools.add(name);
  }
}
