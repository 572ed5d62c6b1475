import { byName, type CommandDefinition, deniedAgent, escapeAngles } from '@understudy/agents';
import { mayStart } from '../session/own-tools.js';
import type { Session } from '../session/session.js';
import type { TurnRecord } from '../session/turn-record.js';
import { sessionTools } from './init-event.js';

/** The list of agents and skills for the model, one line for each. Those that are built in are not among them. */
export function listing(session: Session): string[] {
  return [...agentLines(session), ...skillLines(session)];
}

function agentLines(session: Session, tools: readonly string[] = sessionTools(session)): string[] {
  const { agents } = session.parts;
  const permissions = session.permissionContext();
  const offered = agents
    .filter(({ name }) => deniedAgent(name, permissions) === undefined && mayStart(session, name))
    .sort((a, b) => byName(a.name, b.name));
  if (!tools.includes('Task')) return [];
  return offered.map(
    ({ name, description = '', listedTools = 'All tools' }) => `- ${name}: ${description} (Tools: ${listedTools})`,
  );
}

function skillLines(session: Session, tools: readonly string[] = sessionTools(session)): string[] {
  const { commands, options } = session.parts;
  if (!tools.includes('Skill') || options.disableSlashCommands) return [];
  const offered = commands.filter(({ name, advertised }) => advertised !== undefined && session.offersSkill(name));
  return firstOfEachName(offered).flatMap(commandLine);
}

function firstOfEachName(commands: readonly CommandDefinition[]): CommandDefinition[] {
  const names = new Set<string>();
  return commands.filter(({ name }) => !names.has(name) && names.add(name));
}

/** The CLI sends the model no more of a command or skill than so many characters. */
const LONGEST = 1536;

function commandLine({ name, listedAlias, advertised }: CommandDefinition): string[] {
  if (advertised === undefined) return [];
  const escaped = escapeAngles(advertised);
  const told = escaped.length > LONGEST ? `${escaped.slice(0, LONGEST - 1)}…` : escaped;
  return [`- ${name}${listedAlias === undefined ? '' : ` (${listedAlias})`}: ${told}`];
}

/** Sends a subagent the list of skills, and if it asks again, of agents: by the tools that it has. */
export function listForSubagent(session: Session, own: TurnRecord, tools: readonly string[], asksAgain: boolean): void {
  const lines = [...skillLines(session, tools), ...(asksAgain ? agentLines(session, tools) : [])];
  if (lines.length > 0) own.told.push(lines.join('\n'));
}

/** Sends the model the agents and skills that it does not know yet. */
export function sendListing(session: Session, turn: TurnRecord): void {
  const fresh = listing(session).filter((line) => !session.conversation.known.has(line));
  if (fresh.length === 0) return;
  for (const line of fresh) session.conversation.known.add(line);
  turn.told.push(fresh.join('\n'));
  const timestamp = session.parts.clock.timestamp();
  const attachment = { type: 'skill_listing', content: fresh.join('\n') };
  session.transcript.addMessages([{ type: 'attachment', attachment, timestamp }]);
}
