import { UnderstudyError } from '@understudy/kit';
import { type AgentName, agentNames, agents } from './agents.js';

/** A CLI, and which version of it where that matters: `claude`, `claude@2.1.325`. */
export interface AgentSpec {
  agent: AgentName;
  version?: string;
}

function isAgentName(name: string): name is AgentName {
  return (agentNames as readonly string[]).includes(name);
}

/** Reads `claude` or `claude@2.1.325`. A version is a version or an npm tag, never a range or an address. */
export function parseAgentSpec(spec: string): AgentSpec {
  const [name = '', version, ...rest] = spec.split('@');
  if (!isAgentName(name)) {
    throw new UnderstudyError('AGENT_UNKNOWN', `there is no agent named "${name}"`, {
      fix: `Use one of ${agentNames.join(', ')}, with a version where it matters: claude@2.1.325.`,
    });
  }
  if (version === undefined) return { agent: name };
  if (rest.length > 0 || !/^[0-9A-Za-z][\w.+-]*$/.test(version)) {
    throw new UnderstudyError('AGENT_BAD_VERSION', `"${spec}" does not name a version`, {
      fix: `Write it as ${name}@1.2.3.`,
    });
  }
  return { agent: name, version };
}

/** Whether it loads plugins, asks us whether a tool may run, and its hooks can be recorded. */
export function loadsPlugins(spec: string): boolean {
  return agents[parseAgentSpec(spec).agent].plugins === true;
}

export function formatAgentSpec(spec: AgentSpec): string {
  return spec.version === undefined ? spec.agent : `${spec.agent}@${spec.version}`;
}
