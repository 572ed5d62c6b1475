export { type GenericTool, genericTools } from '../scenario/generic-tools.js';
export type { AuxiliaryKind } from './auxiliary.js';
export type { ClientName } from './clients/client.js';
export type { ModelConversation } from './conversation.js';
export type { ModelConversations } from './conversations.js';
export {
  type AgentEnvironment,
  agentEnvironment,
  type EnvironmentOptions,
  type ServedAgent,
  type ServerAccess,
  sdkEnvironment,
  servedAgents,
} from './environment.js';
export type { EntryKind, Journal, JournalEntry } from './journal.js';
export { ModelServer, type ModelServerOptions, startModelServer } from './server.js';
export type { ProtocolName } from './wire/protocol.js';
