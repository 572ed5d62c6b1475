import type { Agent } from './agents.js';
import type { McpSession } from './mcp.js';
import type { Setup } from './prepare.js';
import { skillListing } from './skills.js';

/** What the system prompt has from the user and the project. OpenCode's own texts are not ours. */
export function systemOf(
  { places, config, instructions }: Setup,
  agent: Agent,
  mcp: McpSession | undefined,
  offered: readonly string[],
): string {
  return [
    ...(agent.prompt === undefined ? [] : [agent.prompt]),
    ...instructions.texts,
    ...serverNotes(mcp, offered),
    ...skillListing(places, config.folders, agent.rules),
  ].join('\n');
}

/** What servers say of themselves, unless none of their tools is offered. */
function serverNotes(mcp: McpSession | undefined, offered: readonly string[]): string[] {
  const servers = new Set(mcp?.tools.filter(({ name }) => offered.includes(name)).map(({ server }) => server));
  const notes = (mcp?.instructions ?? [])
    .filter(([server]) => servers.has(server))
    .map(([server, text]) => `  <server name="${server}">\n    ${text}\n  </server>`);
  return notes.length === 0 ? [] : [`<mcp_instructions>\n${notes.join('\n')}\n</mcp_instructions>`];
}
