import type { Environment } from '@understudy/kit';
import { type AgentName, agents } from './agents.js';

/** The variables that lead a CLI to its own login. */
export function loginHome(agent: AgentName, from: NodeJS.ProcessEnv): Environment {
  return pick(from, agents[agent].login.homes);
}

/** The variables that carry a key for it, or say where to use it. */
export function loginKeys(agent: AgentName, from: NodeJS.ProcessEnv): Environment {
  const { credentials, login } = agents[agent];
  const keys = pick(from, credentials);
  return {
    ...keys,
    ...pick(
      from,
      Object.keys(keys).flatMap((name) => login.clouds?.[name] ?? []),
    ),
  };
}

function pick(from: NodeJS.ProcessEnv, names: readonly string[]): Environment {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = from[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}
