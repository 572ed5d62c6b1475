import type { ServedClient } from '@understudy/model';
import { claude } from './claude/agent.js';
import { codex } from './codex/agent.js';
import { copilot } from './copilot/agent.js';
import type { AgentDefinition, ServedDefinition } from './define-agent.js';
import { gemini } from './gemini/agent.js';
import { kiro } from './kiro/agent.js';
import { opencode } from './opencode/agent.js';

/** The CLIs that we know how to drive; those of users are added. */
export const agents = { claude, opencode, codex, gemini, copilot, kiro };

export type AgentName = keyof typeof agents;

/** Those that can be pointed at a model of ours. */
export type ServedAgent = {
  [Name in AgentName]: (typeof agents)[Name] extends ServedDefinition ? Name : never;
}[AgentName];

/** Who asks a model server: one of them, or a program that uses a client library. */
export type ClientName = ServedAgent | 'library';

/** In the order in which messages name them; those of users come last. */
export const agentNames: AgentName[] = [];

export const servedAgents: ServedAgent[] = [];

/** They, as a model server sees them. */
export const clients: ServedClient[] = [];

/** Those that can be fetched from npm. */
export const fetchedNames: AgentName[] = [];

/** Those with a stand-in. */
export const standInNames: AgentName[] = [];

/** The variables that say where agents keep their things, beside HOME. */
export const homeVariables = new Set(['XDG_STATE_HOME', 'XDG_CACHE_HOME']);

/** The variables that carry credentials, whosoever they are. */
export const allCredentials = new Set<string>();

for (const definition of Object.values(agents)) list(definition);

/** Adds the agent of a user. Whoever has its name has it from here, so it is as good as one of ours. */
export function addAgentDefinition(definition: ServedDefinition): AgentName {
  Object.assign(agents, { [definition.name]: definition });
  return list(definition);
}

export function removeAgentDefinition(name: AgentName): void {
  const { client } = agents[name];
  const lists: unknown[][] = [agentNames, servedAgents, fetchedNames, clients];
  for (const known of lists) {
    const index = known.findIndex((one) => one === name || (one !== undefined && one === client));
    if (index !== -1) known.splice(index, 1);
  }
  Reflect.deleteProperty(agents, name);
}

function list({ name: given, client, npm, stages, login, credentials }: AgentDefinition): AgentName {
  const name = given as AgentName;
  agentNames.push(name);
  if (client !== undefined) {
    servedAgents.push(name as ServedAgent);
    clients.push(client);
  }
  if (npm !== undefined) fetchedNames.push(name);
  if (stages.includes('sim')) standInNames.push(name);
  for (const home of login.homes) if (home !== 'HOME') homeVariables.add(home);
  for (const credential of credentials) allCredentials.add(credential);
  return name;
}
