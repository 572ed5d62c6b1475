import type { JsonObject } from '@understudy/kit';

/** A tool that the agent has asked for, with the id that its result must name. */
export interface RequestedTool {
  id: string;
  name: string;
  input: JsonObject;
  /** The result that the scenario gives; absent when the tool runs, or has the default mock. */
  result?: unknown;
  error?: string;
}
