import { defined, isObject, type JsonObject, readIfThere } from '@understudy/kit';
import { type AgentOrigin, type AgentSettings, readAgentSettings, withMemoryTools } from './agent-settings.js';
import { AGENTS } from './built-in.js';
import { byName } from './by-name.js';
import { type FrontMatter, readFrontMatter, textField, toolListField } from './front-matter.js';
import { agentFiles, type ComponentFile, componentNames } from './plugins/components.js';
import { isSubagentTool, TOOLS_OF_THE_SESSION, TOOLS_ON_REQUEST, toolName } from './tools.js';

/** An agent that can be called as a subagent, and the orders that it works under. */
export interface AgentDefinition extends AgentSettings {
  /** With its plugin: `agent-loop:loop-guide`. */
  name: string;
  system: string;
  /** Its description for the model. */
  description?: string;
  /** The tools that it has, as the model's list shows them. */
  listedTools?: string;
  /** The only tools that it has; absent: all. */
  tools?: string[];
  /** Tools that it does not have. */
  disallowedTools?: string[];
  /** The only agents that it can start; absent: all. */
  subagents?: string[];
  /** The name of its model; absent: that of the agent which starts it. */
  model?: string;
}

/** The agents of a plugin, each named with the plugin and its folders. */
export function pluginAgents(root: string, manifest: JsonObject, plugin: string): AgentDefinition[] {
  const nameOf = (file: ComponentFile, matter: FrontMatter) => `${plugin}:${componentNames(file, matter).name}`;
  return readAgents(root, manifest, 'plugin', nameOf);
}

/** What a project or a user has in `.claude/agents`. Folders are no part of a name, and each needs a name and a description. */
export function ownAgents(root: string, origin: AgentOrigin): AgentDefinition[] {
  const nameOf = (_: ComponentFile, matter: FrontMatter): string | undefined => {
    const name = textField(matter, 'name');
    return textField(matter, 'description') === undefined || name?.includes(':') === true ? undefined : name;
  };
  return readAgents(root, {}, origin, nameOf);
}

function readAgents(
  root: string,
  manifest: JsonObject,
  origin: AgentOrigin,
  nameOf: (file: ComponentFile, matter: FrontMatter) => string | undefined,
): AgentDefinition[] {
  return agentFiles(root, manifest).flatMap((agent) => {
    const text = readIfThere(agent.file);
    if (text === undefined) return [];
    const matter = readFrontMatter(text);
    const name = nameOf(agent, matter);
    if (name === undefined) return [];
    // The CLI keeps the end of the last line, but not of a plugin.
    const { description: written = '' } = matter.fields;
    const description = origin === 'plugin' ? String(written).trim() : String(written);
    return [{ name, system: matter.body.trim(), description, ...agentFields(matter.fields, origin) }];
  });
}

/** Agents that were handed over as JSON: by `--agents`, or by the host. */
export function readAgentDefinitions(agents: JsonObject): AgentDefinition[] {
  return Object.entries(agents).map(([name, agent]) => {
    const fields = isObject(agent) ? agent : {};
    const text = (field: string) => (typeof fields[field] === 'string' ? fields[field] : '');
    return { name, system: text('prompt'), description: text('description'), ...agentFields(fields, 'own') };
  });
}

function agentFields(fields: JsonObject, origin: AgentOrigin): Omit<AgentDefinition, 'name' | 'system'> {
  const { model } = fields;
  return {
    ...agentTools(fields),
    ...defined({ subagents: namedSubagents(fields) }),
    listedTools: listedTools(fields),
    ...defined({ model: typeof model === 'string' && model !== 'inherit' ? model : undefined }),
    ...readAgentSettings(fields, origin),
  };
}

/** The model's list shows the tools of an agent as they are written, with what stands in brackets. */
function listedTools(fields: JsonObject): string {
  const [tools, denied] = ['tools', 'disallowedTools'].map((name) => toolListField({ fields }, name)) as [
    string[],
    string[],
  ];
  const all = tools.length > 0 ? (withMemoryTools(tools, fields) ?? []) : [];
  if (all.length > 0 && !all.includes('*')) return all.filter((tool) => !denied.includes(tool)).join(', ');
  return denied.length > 0 ? `All tools except ${denied.join(', ')}` : 'All tools';
}

/** The tools that an agent's fields give it and take from it. */
export function agentTools(fields: JsonObject): Pick<AgentDefinition, 'tools' | 'disallowedTools'> {
  const list = (name: string) =>
    fields[name] === undefined ? undefined : toolListField({ fields }, name).map((rule) => toolName(bareName(rule)));
  const tools = list('tools');
  // A star is every tool.
  return defined({
    tools: tools?.includes('*') === true ? undefined : withMemoryTools(tools, fields),
    disallowedTools: list('disallowedTools'),
  });
}

/** The agents that stand in the brackets of `Agent(…)`. */
function namedSubagents(fields: JsonObject): string[] | undefined {
  const named = toolListField({ fields }, 'tools').flatMap((rule) => {
    const [, tool = '', names = ''] = /^(\w+)\((.*)\)$/s.exec(rule) ?? [];
    return isSubagentTool(tool) ? names.split(',').map((name) => name.trim()) : [];
  });
  return named.length === 0 ? undefined : named;
}

/** What a rule adds in brackets is no part of the name. */
function bareName(rule: string): string {
  return rule.replace(/\(.*\)$/s, '');
}

/** What an agent has of the session's tools; undefined where it has all of them. */
export function toolsOf({ tools, disallowedTools }: AgentDefinition, session: readonly string[]): string[] | undefined {
  if (tools === undefined && disallowedTools === undefined) return undefined;
  // A subagent can have what the session itself lists only on request.
  const all = new Set([...session.map(toolName), ...TOOLS_ON_REQUEST]);
  return [...all].filter(
    (tool) =>
      !TOOLS_OF_THE_SESSION.has(tool) && isAmong(tools ?? [tool], tool) && !isAmong(disallowedTools ?? [], tool),
  );
}

/** Whether a list of tools has one; the name of an MCP server is all of its tools. */
export function isAmong(list: readonly string[], tool: string): boolean {
  return list.some((name) => name === tool || (name.startsWith('mcp__') && tool.startsWith(`${name}__`)));
}

/** All agents of a session as the CLI lists them: its own and the others, by name. */
export function agentNames(others: readonly AgentDefinition[]): string[] {
  return [...new Set([...AGENTS, ...others.map(({ name }) => name)])].sort(byName);
}
