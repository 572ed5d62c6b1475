import { isObject, type JsonObject } from '@understudy/kit';
import { objectOf, objectsIn, stringOf } from './json.js';
import { offeredTool, toolReader } from './known-tools.js';
import { isBlankList } from './lazy-object.js';
import { openaiError } from './openai-errors.js';
import { outputItem, outputItemEvents, responseObject } from './openai-responses-output.js';
import {
  type Frame,
  MalformedRequest,
  type OfferedTool,
  type TranscriptEntry,
  type WireProtocol,
  type WireRequest,
} from './protocol.js';

/** OpenAI's Responses API. */
export const openaiResponses: WireProtocol = {
  name: 'openai-responses',
  callPrefix: 'call_',
  requestIdHeader: 'x-request-id',

  read(body): WireRequest {
    const { input } = body;
    if (typeof input !== 'string' && !Array.isArray(input))
      throw new MalformedRequest("Missing required parameter: 'input'.");
    const format = objectOf(objectOf(body['text'])['format']);
    const instructions = stringOf(body['instructions']);
    const previous = stringOf(body['previous_response_id']);
    return {
      model: stringOf(body['model']) ?? '',
      stream: body['stream'] === true,
      entries: typeof input === 'string' ? [userEntry([input])] : input.flatMap(readItem),
      instructions: instructions ? [instructions] : [],
      get tools() {
        const added = objectsIn(input).flatMap((item) => (isTools(item) ? objectsIn(item['tools']) : []));
        return [...toolsOf(body), ...added.flatMap((tool) => readTool(tool))];
      },
      toolless: isBlankList(body, 'tools') && !objectsIn(input).some(isTools),
      ...(typeof body['max_output_tokens'] === 'number' ? { maxTokens: body['max_output_tokens'] } : {}),
      ...(previous === undefined ? {} : { previousAnswer: previous.replace(/^resp_/, '') }),
      ...(isObject(format['schema']) ? { answerSchema: format['schema'] } : {}),
    };
  },

  complete(answer): JsonObject {
    return responseObject(
      answer,
      answer.blocks.map((block, index) => outputItem(answer, block, index)),
      'ended',
    );
  },

  frames(answer): Frame[] {
    let sequence = 0;
    const event = (data: JsonObject & { type: string }, tokens = 0): Frame => {
      const numbered = { ...data, sequence_number: sequence++ };
      return { text: `event: ${data.type}\ndata: ${JSON.stringify(numbered)}\n\n`, tokens };
    };
    const started = responseObject(answer, [], 'in_progress');
    const frames = [
      event({ type: 'response.created', response: started }),
      event({ type: 'response.in_progress', response: started }),
    ];
    const items = answer.blocks.map((block, index) => {
      for (const { data, tokens } of outputItemEvents(answer, block, index)) frames.push(event(data, tokens));
      return outputItem(answer, block, index);
    });
    const response = responseObject(answer, items, 'ended');
    const type = response['status'] === 'completed' ? 'response.completed' : 'response.incomplete';
    frames.push(event({ type, response }));
    return frames;
  },

  rawFrame(data) {
    return `event: response.output_text.delta\ndata: ${data}\n\n`;
  },

  error: openaiError,

  tokenCount(tokens) {
    return { object: 'response.input_tokens', input_tokens: tokens };
  },
};

function userEntry(texts: string[]): TranscriptEntry {
  return { kind: 'user', texts, results: [] };
}

function readItem(item: unknown): TranscriptEntry[] {
  if (!isObject(item)) throw new MalformedRequest("Invalid type for 'input': expected objects.");
  switch (item['type'] ?? 'message') {
    case 'message': {
      if (item['role'] === 'user') return [userEntry(textsIn(item['content']))];
      if (item['role'] === 'assistant') return [{ kind: 'assistant' }];
      return [
        {
          kind: 'system',
          get text() {
            return textsIn(item['content']).join('\n');
          },
        },
      ];
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const text = textsIn(item['output']).join('\n');
      const result = { id: stringOf(item['call_id']) ?? '', text, isError: false };
      return [{ kind: 'user', texts: [], results: [result] }];
    }
    case 'function_call':
    case 'custom_tool_call':
    case 'reasoning':
      return [{ kind: 'assistant' }];
    default:
      return [];
  }
}

/** Codex gives its newer models their tools as the first item of the conversation. */
function isTools(item: JsonObject): boolean {
  return item['type'] === 'additional_tools';
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  return objectsIn(content).flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
}

const toolsOf = toolReader((tools) => objectsIn(tools).flatMap((tool) => readTool(tool)));

function readTool(tool: JsonObject, namespace?: string): OfferedTool[] {
  const name = stringOf(tool['name']);
  if (name === undefined) return [];
  // Functions are called without their namespace.
  const within = name === 'functions' ? undefined : name;
  if (tool['type'] === 'namespace') return objectsIn(tool['tools']).flatMap((inner) => readTool(inner, within));
  return [
    {
      ...offeredTool(name, tool['description'], tool['parameters']),
      ...(tool['type'] === 'custom' ? { custom: true as const } : {}),
      ...(namespace === undefined ? {} : { namespace }),
    },
  ];
}
