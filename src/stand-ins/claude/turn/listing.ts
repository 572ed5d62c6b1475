import { type AgentDefinition, byName } from '../../../claude-code/agent-definitions.js';
import { deniedAgent } from '../../../claude-code/permissions/decide.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { sessionTools } from './init-event.js';

/** The agents and skills that the model is told of, one line for each. Those that are built in are not among them. */
export function listing(session: Session): string[] {
  const { agents, commands, options } = session.parts;
  const tools = sessionTools(session);
  const permissions = session.permissionContext();
  const offered = agents
    .filter(({ name }) => deniedAgent(name, permissions) === undefined)
    .sort((a, b) => byName(a.name, b.name));
  const has = (tool: string): boolean => tools.includes(tool);
  return [
    ...(has('Task')
      ? offered.map((agent) => `- ${agent.name}: ${agent.description ?? ''} (Tools: ${toolList(agent)})`)
      : []),
    ...(has('Skill') && !options.disableSlashCommands
      ? commands.flatMap(({ name, advertised }) => (advertised === undefined ? [] : [`- ${name}: ${advertised}`]))
      : []),
  ];
}

function toolList({ tools = [], disallowedTools = [] }: AgentDefinition): string {
  if (tools.length > 0) return tools.filter((tool) => !disallowedTools.includes(tool)).join(', ');
  return disallowedTools.length > 0 ? `All tools except ${disallowedTools.join(', ')}` : 'All tools';
}

/** Tells the model of the agents and skills that it does not know of yet. */
export function tellListing(session: Session, turn: TurnRecord): void {
  const fresh = listing(session).filter((line) => !session.known.has(line));
  if (fresh.length === 0) return;
  for (const line of fresh) session.known.add(line);
  turn.told.push(fresh.join('\n'));
  const timestamp = session.parts.clock.timestamp();
  const attachment = { type: 'skill_listing', content: fresh.join('\n') };
  session.transcript.addMessages([{ type: 'attachment', attachment, timestamp }]);
}
