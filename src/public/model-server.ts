export type { AuxiliaryKind } from '../model-server/auxiliary.js';
export type { ClientName } from '../model-server/clients/client.js';
export type { ModelConversation } from '../model-server/conversation.js';
export type { ModelConversations } from '../model-server/conversations.js';
export {
  type AgentEnvironment,
  agentEnvironment,
  type EnvironmentOptions,
  type ServedAgent,
  type ServerAccess,
  sdkEnvironment,
  servedAgents,
} from '../model-server/environment.js';
export type { EntryKind, Journal, JournalEntry } from '../model-server/journal.js';
export { ModelServer, type ModelServerOptions, startModelServer } from '../model-server/server.js';
export type { ProtocolName } from '../model-server/wire/protocol.js';
export { type GenericTool, genericTools } from '../scenario/generic-tools.js';
