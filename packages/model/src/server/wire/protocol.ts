import type { JsonObject } from '@understudy/kit';
import type { StopReason } from '@understudy/script';

export const protocolNames = ['anthropic-messages', 'openai-chat', 'openai-responses', 'gemini'] as const;

export type ProtocolName = (typeof protocolNames)[number];

/** A tool that a request offers to the model. */
export interface OfferedTool {
  name: string;
  readonly description: string;
  /** The names of its arguments, and which of them it must have. */
  properties: ReadonlySet<string>;
  required: readonly string[];
  /** It takes one free text instead of arguments (OpenAI's custom tools). */
  custom?: true;
  /** The group that it is called in (Codex). */
  namespace?: string;
  /** The tool whose program calls this one (Codex). */
  nestedIn?: OfferedTool;
}

/** What a tool gave back, as it stands on the wire. */
export interface WireToolResult {
  id: string;
  text: string;
  isError: boolean;
}

/** One entry of a transcript. Texts are kept apart, because CLIs put their own beside the user's. */
export type TranscriptEntry =
  | { kind: 'user'; texts: string[]; results: WireToolResult[] }
  | { kind: 'assistant' }
  | { kind: 'system'; readonly text: string };

/** A request for an answer, in no protocol's terms. */
export interface WireRequest {
  model: string;
  stream: boolean;
  entries: readonly TranscriptEntry[];
  /** What the model receives outside the transcript. */
  readonly instructions: readonly string[];
  readonly tools: readonly OfferedTool[];
  /** It offers no tools; this is known without reading what they are. */
  toolless: boolean;
  maxTokens?: number;
  /** The answer that this goes on from, where the client does not send the transcript again. */
  previousAnswer?: string;
  /** The JSON schema that the answer must have. */
  answerSchema?: JsonObject;
}

export type AnswerBlock =
  | { type: 'text'; text: string; pieces?: readonly string[] }
  | { type: 'thinking'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: JsonObject; custom?: true; namespace?: string };

export interface TokenUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheCreation: number;
}

/** An answer, in no protocol's terms. */
export interface Answer {
  /** The same request gives the same id, so that a retry cannot be distinguished from its first attempt. */
  id: string;
  model: string;
  blocks: AnswerBlock[];
  stopReason: StopReason;
  usage: TokenUsage;
}

/** A piece of a stream; `tokens` says how much of the answer it carries. */
export interface Frame {
  text: string;
  tokens: number;
  /** It ends a block: a client keeps what was said before it, even if no more follows. */
  closes?: true;
}

/** What can be wrong with a request or with the (scripted) service. */
export type ErrorKind =
  | 'bad_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'too_large'
  | 'unsupported_media_type'
  | 'unanswered'
  | 'internal'
  | 'auth'
  | 'forbidden'
  | 'model_not_found'
  | 'rate_limit'
  | 'out_of_credits'
  | 'context_length'
  | 'server_error'
  | 'overloaded';

export interface WireError {
  status: number;
  body: JsonObject;
}

/** Where a request was sent to. */
export interface Target {
  path: string;
  query: URLSearchParams;
  /** The cloud that offers the API at this path. */
  cloud?: 'bedrock' | 'vertex';
}

/** One vendor's way to ask a model and to answer. Nothing about it is known outside its file. */
export interface WireProtocol {
  readonly name: ProtocolName;
  /** How the ids of its tool calls begin. */
  readonly callPrefix: string;
  /** The header with the id of a request, where the vendor sends one. */
  readonly requestIdHeader?: string;
  /** Throws `MalformedRequest` when there is nothing to answer in the body. */
  read(body: JsonObject, target: Target): WireRequest;
  /** The answer as one JSON document. */
  complete(answer: Answer): JsonObject;
  /** The answer as server-sent events. */
  frames(answer: Answer): Frame[];
  /** One event with this text as its data, as a broken server would send it. */
  rawFrame(data: string): string;
  /** `message` is the scenario's; without it the error says what the vendor's says. */
  error(kind: ErrorKind, message: string | undefined): WireError;
  /** The answer to the question how many tokens a request has. */
  tokenCount(tokens: number): JsonObject;
}

/** The body is JSON, but no request of this protocol. */
export class MalformedRequest extends Error {}
