import { isObject, type JsonObject } from '../document/json.js';

/** An agent that can be called as a subagent, and the orders that it works under. */
export interface AgentDefinition {
  /** With its plugin: `agent-loop:loop-guide`. */
  name: string;
  system: string;
  /** What the model is told of it. */
  description?: string;
}

/** Agents that were handed over as JSON: by `--agents`, or by the host. */
export function readAgentDefinitions(agents: JsonObject): AgentDefinition[] {
  return Object.entries(agents).map(([name, agent]) => ({
    name,
    system: textIn(agent, 'prompt'),
    description: textIn(agent, 'description'),
  }));
}

function textIn(agent: unknown, field: string): string {
  return isObject(agent) && typeof agent[field] === 'string' ? agent[field] : '';
}
