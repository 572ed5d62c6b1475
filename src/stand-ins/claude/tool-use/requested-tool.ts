import type { JsonObject } from '../../../document/json.js';

/** A tool that the agent has asked for, with the id that its result must name. */
export interface RequestedTool {
  id: string;
  name: string;
  input: JsonObject;
  /** What the scenario says it gives back; absent when it is to be run, or mocked by default. */
  result?: unknown;
  error?: string;
  /** The transcript line that asked. */
  askedBy: string;
}
