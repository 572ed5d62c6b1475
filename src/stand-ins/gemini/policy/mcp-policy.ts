import type { ApprovalMode } from '../options.js';

export interface McpPolicyOptions {
  mode: ApprovalMode;
  /** Tools that may run, by name or by a pattern such as `mcp_server_*`. */
  allowedTools: readonly string[];
  excludedTools: readonly string[];
  /** The only tools that there are. */
  coreTools?: readonly string[] | undefined;
  allowedServers: readonly string[];
  excludedServers: readonly string[];
  trustedServers: readonly string[];
}

interface CalledTool {
  name: string;
  server: string;
  own: string;
}

/** Which tools of MCP servers the model is offered where nobody can be asked. */
export function isOffered(tool: CalledTool, options: McpPolicyOptions): boolean {
  const { mode, coreTools } = options;
  const isNamed = (rules: readonly string[]): boolean => rules.some((rule) => matches(toolOf(rule), tool));
  const isOfServer = (servers: readonly string[]): boolean =>
    servers.some((server) => matches(server === '*' ? 'mcp_*' : `mcp_${server}_*`, tool));
  if (isOfServer(options.excludedServers)) return false;
  if (options.excludedTools.includes(tool.own) || isNamed(options.excludedTools)) return false;
  if (isNamed(options.allowedTools)) return true;
  if (mode === 'plan') return false;
  if (coreTools !== undefined) return isNamed(coreTools);
  return mode === 'yolo' || isOfServer([...options.trustedServers, ...options.allowedServers]);
}

/** The tool of an allowance, which may name arguments, too. */
function toolOf(rule: string): string {
  return /^([\w-]+)\(.*\)$/.exec(rule)?.[1] ?? rule;
}

/** A server whose name is not plain is never matched: the name of its tools is another one. */
function matches(pattern: string, { name, server }: CalledTool): boolean {
  if (pattern === '*' || pattern === 'mcp_*' || pattern === name) return true;
  return pattern === `mcp_${server}_*` && name.startsWith(`mcp_${server}_`);
}
