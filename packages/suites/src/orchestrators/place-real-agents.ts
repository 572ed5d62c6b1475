import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FoundAgent, findAgent } from '@understudy/agents';
import { type Environment, UnderstudyError } from '@understudy/kit';
import type { ModelServer } from '@understudy/model';
import { recorded } from '@understudy/stage';
import type { AgentState } from '@understudy/verdict';
import type { Backend } from './case.js';
import { putOnPath } from './stage.js';

/** The real CLIs that can be pointed at a server of ours. */
export const servedBackends = ['claude', 'opencode'] as const;

export type ServedBackend = (typeof servedBackends)[number];

export function isServed(backend: Backend): backend is ServedBackend {
  return servedBackends.some((name) => name === backend);
}

/** Puts real CLIs on the PATH of a case, pointed at a server of ours. Gives their variables. */
export async function placeRealAgents(
  home: string,
  server: ModelServer,
  agents: readonly ServedBackend[],
  options: { retries?: number } = {},
): Promise<Environment> {
  const env: Environment = {};
  for (const agent of agents) {
    const found = await findAgent(agent).catch(() => undefined);
    const surroundings = server.environment(agent, options);
    Object.assign(env, surroundings.env);
    for (const [path, text] of Object.entries(surroundings.files)) writeInto(home, path, text);
    if (found !== undefined) putOnPath(home, agent, recorded(agent, [...found.command, ...surroundings.args], home));
  }
  return env;
}

/** Whether a real CLI is on this machine, and `signedIn` says what it has instead of a login. */
export async function realAgentState(
  backend: Backend,
  signedIn: (found: FoundAgent) => Pick<AgentState, 'authenticated' | 'detail'>,
  notServed: string,
): Promise<AgentState> {
  const missing = { agent: backend, version: null, available: false, authenticated: false };
  if (!isServed(backend)) return { ...missing, detail: notServed };
  try {
    const found = await findAgent(backend);
    return { agent: backend, version: found.version, available: true, ...signedIn(found) };
  } catch (error) {
    if (error instanceof UnderstudyError) return { ...missing, detail: `${error.message}: ${error.fix ?? ''}` };
    throw error;
  }
}

function writeInto(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
