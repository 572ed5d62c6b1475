/** The words of Claude Code when a server ends, or hangs up, before it answers, and when it is gone and does not come back. */
const HUNG_UP = /^(?:(?:MCP error -32000: )?Connection closed|MCP server ".+" is not connected)$/;

/** The server that went away during a call, by its name within that of the tool (`mcp__NAME__tool`). */
export function lostServer({ tool, status, text }: { tool: string; status: string; text: string }): string | undefined {
  const [, server] = /^mcp__(.+?)__/.exec(tool) ?? [];
  return status === 'error' && HUNG_UP.test(text.trim()) ? server : undefined;
}
