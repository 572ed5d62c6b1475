import type { IncomingHttpHeaders } from 'node:http';
import { anthropicMessages } from './wire/anthropic-messages.js';
import { gemini } from './wire/gemini.js';
import { openaiChat } from './wire/openai-chat.js';
import { openaiResponses } from './wire/openai-responses.js';
import type { Target, WireProtocol } from './wire/protocol.js';

/** The kind of a request, from its method and path. */
export type Route =
  | { want: 'answer'; protocol: WireProtocol; target: Target }
  | { want: 'token-count'; protocol: WireProtocol; target: Target }
  | { want: 'models'; protocol: WireProtocol; target: Target }
  | { want: 'embeddings'; protocol: WireProtocol; target: Target }
  | { want: 'alive'; protocol: WireProtocol; target: Target }
  | { want: 'unknown'; protocol: WireProtocol; target: Target };

const ANSWERS: readonly [RegExp, WireProtocol][] = [
  [/\/messages$/, anthropicMessages],
  [/\/chat\/completions$/, openaiChat],
  [/\/responses$/, openaiResponses],
  [/\/models\/[^/]+:(?:generateContent|streamGenerateContent)$/, gemini],
];

/** Where clouds offer Anthropic's API: Amazon Bedrock, and Google Vertex. */
const CLOUDS: readonly [RegExp, NonNullable<Target['cloud']>][] = [
  [/\/model\/[^/]+\/invoke(?:-with-response-stream)?$/, 'bedrock'],
  [/\/publishers\/anthropic\/models\/[^/]+:(?:rawPredict|streamRawPredict)$/, 'vertex'],
];

const COUNTS: readonly [RegExp, WireProtocol][] = [
  [/\/messages\/count_tokens$/, anthropicMessages],
  [/\/responses\/input_tokens$/, openaiResponses],
  [/\/models\/[^/]+:countTokens$/, gemini],
];

/** What the vendors' APIs have besides, by their names. */
const UNPLAYED: readonly [RegExp, string][] = [
  [/\/messages\/batches(?:\/|$)/, 'Anthropic message batches are not played; send each request to /v1/messages'],
  [/\/batches(?:\/|$)/, 'batches are not played; send each request by itself'],
  [/:batchGenerateContent$/, 'Gemini batches are not played; send each request to :generateContent'],
  [/:(?:batchEmbedContents|embedContent)$/, 'Gemini embeddings are not played; /v1/embeddings of OpenAI is'],
  [/\/files(?:\/|$)/, 'files are not played; send what is in them with the message'],
  [/\/(?:audio|images|videos|moderations)(?:\/|$)/, 'only models of text are played: no audio, images, or moderations'],
  [/\/(?:assistants|threads)(?:\/|$)/, 'the Assistants API is not played; use /v1/responses'],
  [/\/realtime(?:\/|$)/, 'the Realtime API is not played; use /v1/responses'],
  [/\/completions$/, 'the old completions API is not played; use /v1/chat/completions'],
];

/** Why a path of a vendor's API has no answer, for paths that are known. */
export function unplayed(path: string): string | undefined {
  return UNPLAYED.find(([pattern]) => pattern.test(path))?.[1];
}

/** Finds the route. The base URL may have any prefix. */
export function route(method: string, url: string, headers: IncomingHttpHeaders): Route {
  const cut = url.indexOf('?');
  const path = trimmed(cut === -1 ? url : url.slice(0, cut));
  const target = { path, query: new URLSearchParams(cut === -1 ? '' : url.slice(cut)) };
  for (const [pattern, protocol] of ANSWERS) if (pattern.test(path)) return { want: 'answer', protocol, target };
  for (const [pattern, cloud] of CLOUDS) {
    if (pattern.test(path)) return { want: 'answer', protocol: anthropicMessages, target: { ...target, cloud } };
  }
  for (const [pattern, protocol] of COUNTS) if (pattern.test(path)) return { want: 'token-count', protocol, target };
  const protocol = likelyProtocol(path, headers);
  if (method === 'POST' && /\/embeddings$/.test(path)) return { want: 'embeddings', protocol, target };
  if (method === 'GET' && /\/models(?:\/[^/]+)?$/.test(path)) return { want: 'models', protocol, target };
  if (method === 'HEAD' || (method === 'GET' && path === '')) return { want: 'alive', protocol, target };
  return { want: 'unknown', protocol, target };
}

/** The protocol whose errors a client on an unknown path understands. */
function likelyProtocol(path: string, headers: IncomingHttpHeaders): WireProtocol {
  if (path.startsWith('/v1beta') || headers['x-goog-api-key'] !== undefined) return gemini;
  if (headers['anthropic-version'] !== undefined || path.includes('/messages')) return anthropicMessages;
  return path.includes('/responses') ? openaiResponses : openaiChat;
}

function trimmed(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
