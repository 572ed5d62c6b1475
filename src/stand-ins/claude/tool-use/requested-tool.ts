import type { CommandDefinition } from '../../../claude-code/slash-commands.js';
import type { JsonObject } from '../../../document/json.js';

/** A tool that the agent has asked for, with the id that its result must name. */
export interface RequestedTool {
  id: string;
  name: string;
  input: JsonObject;
  /** The result that the scenario gives; absent when the tool runs, or has the default mock. */
  result?: unknown;
  error?: string;
}

/** A skill that runs in a subagent of its own. */
export interface ForkedSkill {
  skill: CommandDefinition;
  /** What it expands to. */
  body: string;
}
