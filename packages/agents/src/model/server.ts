import {
  type AgentEnvironment,
  type EnvironmentOptions,
  type ModelServer,
  type ModelServerOptions,
  recognizeClient as recognize,
  type ServerAccess,
  startModelServer as start,
} from '@understudy/model';
import { agents, clients, type ServedAgent } from '../agents.js';

/** Starts a model API that answers from a scenario, and knows our CLIs. */
export function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  return start({ clients, ...options });
}

/** The environment that points one CLI at a server: scratch HOME and clean environment are the caller's part. */
export function agentEnvironment(
  agent: ServedAgent,
  server: ServerAccess,
  options: EnvironmentOptions = {},
): AgentEnvironment {
  return agents[agent].client.environment(server, options);
}

/** Which CLI sent this; anything else is a program that uses a client library. */
export function recognizeClient(headers: Parameters<typeof recognize>[1]): ReturnType<typeof recognize> {
  return recognize(clients, headers);
}
