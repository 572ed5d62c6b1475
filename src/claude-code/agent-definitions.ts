import { isObject, type JsonObject } from '../document/json.js';

/** An agent that can be called as a subagent, and the orders that it works under. */
export interface AgentDefinition {
  /** With its plugin: `agent-loop:loop-guide`. */
  name: string;
  system: string;
}

/** Agents that were handed over as JSON: by `--agents`, or by the host. */
export function readAgentDefinitions(agents: JsonObject): AgentDefinition[] {
  return Object.entries(agents).map(([name, agent]) => ({
    name,
    system: isObject(agent) && typeof agent['prompt'] === 'string' ? agent['prompt'] : '',
  }));
}
