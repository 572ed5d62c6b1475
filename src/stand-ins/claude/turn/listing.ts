import { byName } from '../../../claude-code/agent-definitions.js';
import { deniedAgent } from '../../../claude-code/permissions/decide.js';
import type { CommandDefinition } from '../../../claude-code/slash-commands.js';
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
      ? offered.map(
          ({ name, description = '', listedTools = 'All tools' }) =>
            `- ${name}: ${description} (Tools: ${listedTools})`,
        )
      : []),
    ...(has('Skill') && !options.disableSlashCommands ? firstOfEachName(commands).flatMap(commandLine) : []),
  ];
}

function firstOfEachName(commands: readonly CommandDefinition[]): CommandDefinition[] {
  const names = new Set<string>();
  return commands.filter(({ name }) => !names.has(name) && names.add(name));
}

/** The CLI tells the model no more of a command or skill than so many characters. */
const LONGEST = 1536;

function commandLine({ name, listedAlias, advertised }: CommandDefinition): string[] {
  if (advertised === undefined) return [];
  const told = advertised.length > LONGEST ? `${advertised.slice(0, LONGEST - 1)}…` : advertised;
  return [`- ${name}${listedAlias === undefined ? '' : ` (${listedAlias})`}: ${told}`];
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
