import { isObject, type JsonObject } from '@understudy/kit';
import { API_MESSAGES, type StopReason } from '@understudy/script';
import { objectOf, objectsIn, stringOf } from './json.js';
import { messageReader } from './known-messages.js';
import { offeredTool, toolReader } from './known-tools.js';
import { isBlankList } from './lazy-object.js';
import { estimateTokens, piecesOf, streamed } from './pieces.js';
import {
  type Answer,
  type AnswerBlock,
  type ErrorKind,
  type Frame,
  MalformedRequest,
  type OfferedTool,
  type TranscriptEntry,
  type WireProtocol,
  type WireRequest,
  type WireToolResult,
} from './protocol.js';

/** Thinking must be signed for a client to send it back; nobody here checks by whom. */
const SIGNATURE = Buffer.from('scripted by understudy').toString('base64');

const ERRORS: Record<ErrorKind, [status: number, type: string, message: string]> = {
  bad_request: [400, 'invalid_request_error', 'The request is not valid.'],
  not_found: [404, 'not_found_error', 'Not found.'],
  method_not_allowed: [405, 'invalid_request_error', 'Method not allowed.'],
  too_large: [413, 'request_too_large', 'Request exceeds the maximum size'],
  unsupported_media_type: [415, 'invalid_request_error', 'Unsupported content type or encoding.'],
  // Claude Code repeats a 400 up to six times with fewer beta features; a 418 it shows at once.
  unanswered: [418, 'invalid_request_error', 'Nothing answers this request.'],
  internal: [500, 'api_error', 'Internal server error'],
  auth: [401, 'authentication_error', API_MESSAGES.auth_error],
  forbidden: [403, 'permission_error', API_MESSAGES.forbidden],
  model_not_found: [404, 'not_found_error', API_MESSAGES.model_not_found],
  rate_limit: [429, 'rate_limit_error', API_MESSAGES.rate_limit],
  out_of_credits: [400, 'invalid_request_error', API_MESSAGES.out_of_credits],
  context_length: [400, 'invalid_request_error', API_MESSAGES.context_length],
  server_error: [500, 'api_error', API_MESSAGES.server_error],
  overloaded: [529, 'overloaded_error', API_MESSAGES.overloaded],
};

const STOP_REASONS: Record<StopReason, string> = {
  end_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  stop_sequence: 'stop_sequence',
  refusal: 'refusal',
};

/** Anthropic's Messages API. */
export const anthropicMessages: WireProtocol = {
  name: 'anthropic-messages',
  callPrefix: 'toolu_',
  requestIdHeader: 'request-id',

  read(body, target): WireRequest {
    const entries = entriesOf(body);
    if (entries === undefined) throw new MalformedRequest('messages: Field required');
    const schema = objectOf(objectOf(body['output_config'])['format'])['schema'];
    return {
      model: stringOf(body['model']) ?? modelIn(target.path),
      stream: body['stream'] === true || /:streamRawPredict$|\/invoke-with-response-stream$/.test(target.path),
      entries,
      get instructions() {
        return instructionsIn(body['system']);
      },
      get tools() {
        return toolsOf(body);
      },
      toolless: isBlankList(body, 'tools'),
      ...(typeof body['max_tokens'] === 'number' ? { maxTokens: body['max_tokens'] } : {}),
      ...(isObject(schema) ? { answerSchema: schema } : {}),
    };
  },

  complete(answer): JsonObject {
    return {
      ...envelope(answer),
      content: answer.blocks.map(wholeBlock),
      stop_reason: STOP_REASONS[answer.stopReason],
      usage: wholeUsage(answer, answer.usage.output),
    };
  },

  frames(answer): Frame[] {
    const frames = [event({ type: 'message_start', message: { ...envelope(answer), usage: wholeUsage(answer, 1) } })];
    answer.blocks.forEach((block, index) => {
      frames.push(event({ type: 'content_block_start', index, content_block: emptyBlock(block) }));
      frames.push(...deltas(block, index));
      frames.push({ ...event({ type: 'content_block_stop', index }), closes: true });
    });
    const delta = { stop_reason: STOP_REASONS[answer.stopReason], stop_sequence: null };
    frames.push(event({ type: 'message_delta', delta, usage: usageOf(answer, answer.usage.output) }));
    frames.push(event({ type: 'message_stop' }));
    return frames;
  },

  rawFrame(data) {
    return `event: content_block_delta\ndata: ${data}\n\n`;
  },

  error(kind, message) {
    const [status, type, usual] = ERRORS[kind];
    return { status, body: { type: 'error', error: { type, message: message ?? usual } } };
  },

  tokenCount(tokens) {
    return { input_tokens: tokens };
  },
};

/** Clouds have the model in the path. */
function modelIn(path: string): string {
  const [, model = ''] = /\/models?\/([^/:]+(?::\d+)?)(?:\/invoke|:\w*[rR]awPredict)/.exec(path) ?? [];
  return decodeURIComponent(model);
}

function instructionsIn(system: unknown): string[] {
  if (typeof system === 'string') return [system];
  return objectsIn(system).flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []));
}

const entriesOf = messageReader('messages', (message) => [readMessage(message)]);

function readMessage(message: unknown): TranscriptEntry {
  if (!isObject(message)) throw new MalformedRequest('messages: Input should be an object');
  const { role } = message;
  if (role === 'assistant') return { kind: 'assistant' };
  if (role === 'system') {
    return {
      kind: 'system',
      get text() {
        return textIn(message['content']);
      },
    };
  }
  if (role !== 'user') throw new MalformedRequest("messages: role should be 'user' or 'assistant'");
  const { content } = message;
  if (typeof content === 'string') return { kind: 'user', texts: [content], results: [] };
  const texts: string[] = [];
  const results: WireToolResult[] = [];
  for (const block of objectsIn(content)) {
    if (block['type'] === 'text' && typeof block['text'] === 'string') texts.push(block['text']);
    if (block['type'] === 'tool_result') {
      const id = stringOf(block['tool_use_id']) ?? '';
      results.push({ id, text: textIn(block['content']), isError: block['is_error'] === true });
    }
  }
  return { kind: 'user', texts, results };
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((block) => stringOf(block['text']) ?? '')
    .join('\n');
}

const toolsOf = toolReader((tools) => objectsIn(tools).flatMap((tool) => readTool(tool)));

function readTool(tool: JsonObject): OfferedTool[] {
  // A deferred tool is only named: its schema comes when the model has searched for it.
  if (typeof tool['name'] !== 'string' || tool['defer_loading'] === true) return [];
  return [offeredTool(tool['name'], tool['description'], tool['input_schema'])];
}

function envelope(answer: Answer): JsonObject {
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  };
}

function usageOf({ usage }: Answer, output: number): JsonObject {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheCreation,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: output,
  };
}

function wholeUsage(answer: Answer, output: number): JsonObject {
  return { ...usageOf(answer, output), service_tier: 'standard' };
}

function wholeBlock(block: AnswerBlock): JsonObject {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'thinking') return { type: 'thinking', thinking: block.text, signature: SIGNATURE };
  return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
}

function emptyBlock(block: AnswerBlock): JsonObject {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { type: 'tool_use', id: block.id, name: block.name, input: {} };
}

function deltas(block: AnswerBlock, index: number): Frame[] {
  if (block.type === 'tool_use') {
    return piecesOf(JSON.stringify(block.input)).map((partial_json) =>
      delta(index, { type: 'input_json_delta', partial_json }),
    );
  }
  if (block.type === 'text') return streamed(block).map((text) => delta(index, { type: 'text_delta', text }, text));
  return [
    ...piecesOf(block.text).map((thinking) => delta(index, { type: 'thinking_delta', thinking }, thinking)),
    delta(index, { type: 'signature_delta', signature: SIGNATURE }),
  ];
}

function delta(index: number, change: JsonObject, said = ''): Frame {
  return event({ type: 'content_block_delta', index, delta: change }, estimateTokens(said.length));
}

function event(data: JsonObject & { type: string }, tokens = 0): Frame {
  return { text: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`, tokens };
}
