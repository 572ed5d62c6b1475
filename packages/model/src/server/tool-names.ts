import { resolve } from 'node:path';
import type { JsonObject } from '@understudy/kit';
import { genericFor, isNameOf, isSameTool, toAgentArguments, toGenericArguments } from '@understudy/script';
import { asShellCommand } from './shell-fallback.js';
import type { OfferedTool } from './wire/protocol.js';

export interface CalledTool {
  tool: OfferedTool;
  input: JsonObject;
}

/**
 * Finds the tool of a scenario among the offered ones, and renames its arguments. A generic tool that the agent lacks
 * becomes a shell command. A tool with an agent's own name does not, because its author wants to see that tool used; nor does one
 * that the agent has and may not use now (`neverByShell`).
 * Returns undefined if there is no such tool.
 */
export function translateCall(
  name: string,
  input: JsonObject,
  offered: readonly OfferedTool[],
  folder?: string,
  neverByShell: readonly string[] = [],
): CalledTool | undefined {
  const generic = genericFor(name);
  const exact =
    offered.find((tool) => tool.name === name) ??
    offered.find((tool) => fullName(tool) === name) ??
    subagentTool(name, offered);
  if (exact !== undefined && !(generic === name && speaksGeneric(input, exact))) return { tool: exact, input };
  if (generic === undefined) return undefined;
  const plain = toGenericArguments(input) as JsonObject;
  // Agents need absolute paths, and a script cannot know its folder.
  if (typeof plain['path'] === 'string' && folder !== undefined && generic !== 'shell')
    plain['path'] = resolve(folder, plain['path']);
  const own = offered.find((tool) => isNameOf(generic, tool.name));
  if (own !== undefined) return { tool: own, input: toAgentArguments(plain, own) as JsonObject };
  if (generic !== name || neverByShell.includes(generic)) return undefined;
  const shell = offered.find((tool) => isNameOf('shell', tool.name));
  const command = asShellCommand(generic, plain);
  return shell === undefined || command === undefined
    ? undefined
    : { tool: shell, input: toAgentArguments({ command }, shell) as JsonObject };
}

/** Codex has the tools of an MCP server in a namespace. With it, they are named as by other agents: `mcp__server__tool`. */
function fullName({ namespace, name }: OfferedTool): string | undefined {
  return namespace?.startsWith('mcp__') ? `${namespace}__${name}` : undefined;
}

function subagentTool(name: string, offered: readonly OfferedTool[]): OfferedTool | undefined {
  return genericFor(name) === undefined ? offered.find((tool) => isSameTool(name, tool.name)) : undefined;
}

/** `read` can be an agent's own tool or the generic one. The arguments show which. */
function speaksGeneric(input: JsonObject, tool: OfferedTool): boolean {
  return Object.keys(input).some((key) => !tool.properties.has(key)) || tool.required.some((key) => !(key in input));
}
