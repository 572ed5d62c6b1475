import type { ServedClient } from '@understudy/model';
import { claude } from './claude/agent.js';
import { codex } from './codex/agent.js';
import { copilot } from './copilot/agent.js';
import type { ServedDefinition } from './define-agent.js';
import { gemini } from './gemini/agent.js';
import { kiro } from './kiro/agent.js';
import { opencode } from './opencode/agent.js';

/** The CLIs that we know how to drive. */
export const agents = { claude, opencode, codex, gemini, copilot, kiro };

export type AgentName = keyof typeof agents;

/** Those that can be pointed at a model of ours. */
export type ServedAgent = {
  [Name in AgentName]: (typeof agents)[Name] extends ServedDefinition ? Name : never;
}[AgentName];

/** Who asks a model server: one of them, or a program that uses a client library. */
export type ClientName = ServedAgent | 'library';

export const agentNames = Object.keys(agents) as AgentName[];

export const servedAgents: readonly ServedAgent[] = agentNames.filter(
  (name): name is ServedAgent => agents[name].client !== undefined,
);

/** They, as a model server sees them. */
export const clients: readonly ServedClient[] = servedAgents.map((name) => agents[name].client);

/** Those that can be fetched from npm. */
export const fetchedNames: readonly AgentName[] = agentNames.filter((name) => agents[name].npm !== undefined);

/** Those with a stand-in. */
export const standInNames: readonly AgentName[] = agentNames.filter((name) => agents[name].stages.includes('sim'));

/** The variables that say where agents keep their things, beside HOME. */
export const homeVariables: readonly string[] = [
  ...new Set(['XDG_STATE_HOME', 'XDG_CACHE_HOME', ...Object.values(agents).flatMap(({ login }) => login.homes)]),
].filter((name) => name !== 'HOME');

/** The variables that carry credentials, whosoever they are. */
export const allCredentials: ReadonlySet<string> = new Set(
  Object.values(agents).flatMap(({ credentials }) => credentials),
);
