import { isObject, type JsonObject } from '../document/json.js';
import { AGENTS } from './built-in.js';

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

/** All agents of a session as the CLI lists them: its own and the others, by name. */
export function agentNames(others: readonly AgentDefinition[]): string[] {
  return [...AGENTS, ...others.map(({ name }) => name)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
}

/** What the real CLI finds wrong with agents that were handed over as JSON. */
export function agentProblems(agents: unknown): string[] {
  if (!isObject(agents)) return [`Invalid input: expected record, received ${kindOf(agents)}`];
  return Object.entries(agents).flatMap(([name, agent]) => {
    if (!isObject(agent)) return [`${name}: Invalid input: expected object, received ${kindOf(agent)}`];
    return ['description', 'prompt']
      .filter((field) => typeof agent[field] !== 'string')
      .map((field) => `${name}.${field}: Invalid input: expected string, received ${kindOf(agent[field])}`);
  });
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
