import { isObject, type JsonObject } from '@understudy/kit';
import type { StopReason } from '@understudy/script';
import { objectOf, objectsIn, stringOf } from './json.js';
import { messageReader } from './known-messages.js';
import { offeredTool, toolReader } from './known-tools.js';
import { isBlankList } from './lazy-object.js';
import { openaiError } from './openai-errors.js';
import { estimateTokens, piecesOf, streamed } from './pieces.js';
import {
  type Answer,
  type AnswerBlock,
  type Frame,
  MalformedRequest,
  type OfferedTool,
  type TranscriptEntry,
  type WireProtocol,
  type WireRequest,
} from './protocol.js';

const FINISH_REASONS: Record<StopReason, string> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  stop_sequence: 'stop',
  refusal: 'content_filter',
};

/** OpenAI's Chat Completions API, as OpenAI and the many that copy it speak it. */
export const openaiChat: WireProtocol = {
  name: 'openai-chat',
  callPrefix: 'call_',
  requestIdHeader: 'x-request-id',

  read(body): WireRequest {
    const entries = entriesOf(body);
    if (entries === undefined) throw new MalformedRequest("Missing required parameter: 'messages'.");
    const schema = objectOf(objectOf(body['response_format'])['json_schema'])['schema'];
    const limit = body['max_completion_tokens'] ?? body['max_tokens'];
    return {
      model: stringOf(body['model']) ?? '',
      stream: body['stream'] === true,
      entries,
      instructions: [],
      get tools() {
        return toolsOf(body);
      },
      toolless: isBlankList(body, 'tools'),
      ...(typeof limit === 'number' ? { maxTokens: limit } : {}),
      ...(isObject(schema) ? { answerSchema: schema } : {}),
    };
  },

  complete(answer): JsonObject {
    const calls = toolCalls(answer).map(({ index: _, ...call }) => call);
    const thinking = textOf(answer, 'thinking');
    const message = {
      role: 'assistant',
      content: textOf(answer, 'text') || null,
      refusal: null,
      ...(thinking === '' ? {} : { reasoning_content: thinking }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: FINISH_REASONS[answer.stopReason] };
    return { ...envelope(answer, 'chat.completion'), choices: [choice], usage: usageOf(answer) };
  },

  frames(answer): Frame[] {
    const base = envelope(answer, 'chat.completion.chunk');
    const chunk = (delta: JsonObject, tokens = 0, finish: string | null = null): Frame =>
      frame({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] }, tokens);
    const frames = [chunk({ role: 'assistant', content: '' })];
    let index = 0;
    for (const block of answer.blocks) {
      if (block.type === 'tool_use') frames.push(...callChunks(block, index++).map((delta) => chunk(delta)));
      else {
        const field = block.type === 'text' ? 'content' : 'reasoning_content';
        for (const piece of streamed(block)) frames.push(chunk({ [field]: piece }, estimateTokens(piece.length)));
      }
    }
    frames.push(chunk({}, 0, FINISH_REASONS[answer.stopReason]));
    frames.push(frame({ ...base, choices: [], usage: usageOf(answer) }), { text: 'data: [DONE]\n\n', tokens: 0 });
    return frames;
  },

  rawFrame(data) {
    return `data: ${data}\n\n`;
  },

  error: openaiError,

  tokenCount(tokens) {
    return { object: 'response.input_tokens', input_tokens: tokens };
  },
};

const entriesOf = messageReader('messages', (message) => [readMessage(message)]);

function readMessage(message: unknown): TranscriptEntry {
  if (!isObject(message)) throw new MalformedRequest("Invalid type for 'messages': expected objects.");
  switch (message['role']) {
    case 'assistant':
      return { kind: 'assistant' };
    case 'system':
    case 'developer':
      return {
        kind: 'system',
        get text() {
          return textsIn(message['content']).join('\n');
        },
      };
    case 'user':
      return { kind: 'user', texts: textsIn(message['content']), results: [] };
    case 'tool': {
      const id = stringOf(message['tool_call_id']) ?? '';
      return {
        kind: 'user',
        texts: [],
        results: [{ id, text: textsIn(message['content']).join('\n'), isError: false }],
      };
    }
    default:
      throw new MalformedRequest("Invalid value for 'messages': unknown role.");
  }
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return objectsIn(content).flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
}

const toolsOf = toolReader((tools) => objectsIn(tools).flatMap((tool) => readTool(tool)));

function readTool(tool: JsonObject): OfferedTool[] {
  const description = objectOf(tool['function']);
  if (typeof description['name'] !== 'string') return [];
  return [offeredTool(description['name'], description['description'], description['parameters'])];
}

function textOf(answer: Answer, type: 'text' | 'thinking'): string {
  return answer.blocks.map((block) => (block.type === type ? block.text : '')).join('');
}

function toolCalls(answer: Answer) {
  return answer.blocks.filter((block) => block.type === 'tool_use').map(callOf);
}

function callOf(block: Extract<AnswerBlock, { type: 'tool_use' }>, index: number) {
  return {
    index,
    id: block.id,
    type: 'function',
    function: { name: block.name, arguments: JSON.stringify(block.input) },
  };
}

/** The first chunk names the call; the others carry its arguments, piece by piece. */
function callChunks(block: Extract<AnswerBlock, { type: 'tool_use' }>, index: number): JsonObject[] {
  const call = callOf(block, index);
  const first = { ...call, function: { name: block.name, arguments: '' } };
  const rest = piecesOf(call.function.arguments).map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...rest].map((part) => ({ tool_calls: [part] }));
}

function envelope(answer: Answer, object: string): JsonObject {
  return { id: `chatcmpl-${answer.id}`, object, created: Math.floor(Date.now() / 1000), model: answer.model };
}

function usageOf({ usage }: Answer): JsonObject {
  const prompt = usage.input + usage.cacheRead + usage.cacheCreation;
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  };
}

function frame(data: JsonObject, tokens = 0): Frame {
  return { text: `data: ${JSON.stringify(data)}\n\n`, tokens };
}
