export { CASSETTE_ENDING, hasCassette, notLive } from './src/cassette/cassette-file.js';
export { checkFree, type Edit, editedCopy, mergedCopy } from './src/cassette/copy.js';
export type { Folders } from './src/cassette/folders.js';
export type { CassetteSetting, Interaction, ProjectFiles } from './src/cassette/format.js';
export { atifNames } from './src/cassette/import/atif.js';
export { importFormats } from './src/cassette/import/formats.js';
export { importFile } from './src/cassette/import/import.js';
export { type ReadAnswer, readAnswer as readRecordedAnswer } from './src/cassette/read-answer.js';
export { CassetteFile, type IndexedInteraction } from './src/cassette/reader.js';
export { Recorder } from './src/cassette/recorder.js';
export type { ReplayOptions } from './src/cassette/replayer.js';
export { secretFinder, secretRemover } from './src/cassette/secrets.js';
export {
  type Recording,
  type RecordingOptions,
  type ReplayServerOptions,
  startRecording,
  startReplay,
} from './src/cassette/start.js';
export { Upstreams } from './src/cassette/upstream.js';
export { problemsOf } from './src/cassette/verify.js';
export { CassetteWriter } from './src/cassette/writer.js';
export { type AskedBy, type Asker, describeAsker } from './src/server/asker.js';
export { type AuxiliaryKind, isCompaction, recognizeAuxiliary } from './src/server/auxiliary.js';
export { taggedKey } from './src/server/client-keys.js';
export type {
  Authored,
  Client,
  HookPrompt,
  HookQuestion,
  Identity,
  OwnApis,
  OwnQuestion,
  ServedClient,
  Upstream,
} from './src/server/clients/client.js';
export { header } from './src/server/clients/headers.js';
export { recognizeClient } from './src/server/clients/recognize-client.js';
export { authoredApartFrom, factIn, remindersIn, withoutReminders } from './src/server/clients/reminders.js';
export { CONTROL_PATH } from './src/server/control.js';
export type { ModelConversation } from './src/server/conversation.js';
export type { ModelConversations } from './src/server/conversations.js';
export { deliver, type Exchange } from './src/server/delivery.js';
export {
  type AgentEnvironment,
  type EnvironmentOptions,
  type RealModelSettings,
  type ServerAccess,
  sdkEnvironment,
} from './src/server/environment.js';
export { deliverFailure } from './src/server/failure-delivery.js';
export type { EntryKind, Journal, JournalEntry, JournalOptions } from './src/server/journal.js';
export { plainAnswer, silentAnswer } from './src/server/prepare-answer.js';
export { route } from './src/server/router.js';
export { ModelServer, type ModelServerOptions, startModelServer } from './src/server/server.js';
export { readTold, type ToldRequest } from './src/server/told.js';
export { translateCall } from './src/server/tool-names.js';
export { readTranscript, type Transcript } from './src/server/transcript.js';
export { anthropicMessages } from './src/server/wire/anthropic-messages.js';
export { gemini } from './src/server/wire/gemini.js';
export { parseObject, stringOf } from './src/server/wire/json.js';
export { openaiError } from './src/server/wire/openai-errors.js';
export { estimateTokens, piecesOf, piecesOfBlock } from './src/server/wire/pieces.js';
export {
  type AnswerBlock,
  type ErrorKind,
  type ProtocolName,
  protocolNames,
  type TranscriptEntry,
  type WireRequest,
} from './src/server/wire/protocol.js';
