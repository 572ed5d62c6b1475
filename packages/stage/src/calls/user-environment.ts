import { allCredentials } from '@understudy/agents';
import type { Environment } from '@understudy/kit';

/** The variables of the user without the keys of agents: a program needs its tools, and no real model. */
export function withoutAgentKeys(environment: NodeJS.ProcessEnv): Environment {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || allCredentials.has(name) ? [] : [[name, value]],
    ),
  );
}
