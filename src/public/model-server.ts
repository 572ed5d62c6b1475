export {
  agentEnvironment,
  type ClientName,
  type ServedAgent,
  servedAgents,
  startModelServer,
} from '@understudy/agents';
export type {
  AuxiliaryKind,
  EntryKind,
  Journal,
  JournalEntry,
  ModelConversation,
  ModelConversations,
  ProtocolName,
} from '@understudy/model';
export {
  type AgentEnvironment,
  type EnvironmentOptions,
  ModelServer,
  type ModelServerOptions,
  type ServerAccess,
  sdkEnvironment,
} from '@understudy/model';
export { type GenericTool, genericTools } from '@understudy/script';
