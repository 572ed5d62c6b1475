export type {
  AuxiliaryKind,
  ClientName,
  EntryKind,
  Journal,
  JournalEntry,
  ModelConversation,
  ModelConversations,
  ProtocolName,
} from '@understudy/model';
export {
  type AgentEnvironment,
  agentEnvironment,
  type EnvironmentOptions,
  ModelServer,
  type ModelServerOptions,
  type ServedAgent,
  type ServerAccess,
  sdkEnvironment,
  servedAgents,
  startModelServer,
} from '@understudy/model';
export { type GenericTool, genericTools } from '@understudy/script';
