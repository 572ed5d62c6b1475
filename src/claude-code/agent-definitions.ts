import { defined } from '../document/defined.js';
import { isObject, type JsonObject } from '../document/json.js';
import { toolListField } from './front-matter.js';
import { toolName } from './tools.js';

/** An agent that can be called as a subagent, and the orders that it works under. */
export interface AgentDefinition {
  /** With its plugin: `agent-loop:loop-guide`. */
  name: string;
  system: string;
  /** The only tools that it has; absent: all. */
  tools?: string[];
  /** Tools that it does not have. */
  disallowedTools?: string[];
}

/** Agents that were handed over as JSON: by `--agents`, or by the host. */
export function readAgentDefinitions(agents: JsonObject): AgentDefinition[] {
  return Object.entries(agents).map(([name, agent]) => {
    const fields = isObject(agent) ? agent : {};
    const { prompt } = fields;
    return { name, system: typeof prompt === 'string' ? prompt : '', ...agentTools(fields) };
  });
}

/** The tools that an agent's fields give it and take from it. */
export function agentTools(fields: JsonObject): Pick<AgentDefinition, 'tools' | 'disallowedTools'> {
  const list = (name: string) =>
    fields[name] === undefined ? undefined : toolListField({ fields }, name).map((rule) => toolName(bareName(rule)));
  const tools = list('tools');
  // A star is every tool.
  return defined({
    tools: tools?.includes('*') === true ? undefined : tools,
    disallowedTools: list('disallowedTools'),
  });
}

/** What a rule adds in brackets is no part of the name. */
function bareName(rule: string): string {
  return rule.replace(/\(.*\)$/s, '');
}

/** Whether the agent has a tool. */
export function agentHasTool({ tools, disallowedTools }: AgentDefinition, name: string): boolean {
  const tool = toolName(name);
  return (tools === undefined || tools.includes(tool)) && disallowedTools?.includes(tool) !== true;
}
