import { claude } from './claude/agent.js';
import { codex } from './codex/agent.js';
import type { AgentDefinition } from './define-agent.js';
import { gemini } from './gemini/agent.js';
import { kiro } from './kiro/agent.js';
import { opencode } from './opencode/agent.js';

const definitions = { claude, opencode, codex, gemini, kiro };

export type AgentName = keyof typeof definitions;

/** The CLIs that we know how to drive. */
export const agents: { readonly [Name in AgentName]: AgentDefinition } = definitions;

export const agentNames = Object.keys(agents) as AgentName[];

/** The variables that carry credentials, whosoever they are. */
export const allCredentials: ReadonlySet<string> = new Set(
  Object.values(agents).flatMap(({ credentials }) => credentials),
);
