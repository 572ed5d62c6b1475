import { isObject, type JsonObject } from '@understudy/kit';
import type { StopReason } from '@understudy/script';
import { objectOf, objectsIn, stringOf } from './json.js';
import { messageReader } from './known-messages.js';
import { offeredTool, toolReader } from './known-tools.js';
import { isBlankList } from './lazy-object.js';
import { estimateTokens, streamed } from './pieces.js';
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

const ERRORS: Record<ErrorKind, [code: number, status: string, message: string]> = {
  bad_request: [400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  not_found: [404, 'NOT_FOUND', 'Requested entity was not found.'],
  method_not_allowed: [405, 'INVALID_ARGUMENT', 'Method not allowed.'],
  too_large: [413, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit.'],
  unsupported_media_type: [415, 'INVALID_ARGUMENT', 'Unsupported content type or encoding.'],
  unanswered: [418, 'FAILED_PRECONDITION', 'Nothing answers this request.'],
  internal: [500, 'INTERNAL', 'An internal error has occurred.'],
  auth: [401, 'UNAUTHENTICATED', 'API key not valid. Please pass a valid API key.'],
  forbidden: [403, 'PERMISSION_DENIED', 'The caller does not have permission.'],
  model_not_found: [404, 'NOT_FOUND', 'The model is not found for this API version.'],
  rate_limit: [429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  out_of_credits: [
    429,
    'RESOURCE_EXHAUSTED',
    'You exceeded your current quota, please check your plan and billing details.',
  ],
  context_length: [400, 'INVALID_ARGUMENT', 'The input token count exceeds the maximum number of tokens allowed.'],
  server_error: [500, 'INTERNAL', 'An internal error has occurred.'],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
};

const FINISH_REASONS: Record<StopReason, string> = {
  end_turn: 'STOP',
  tool_use: 'STOP',
  max_tokens: 'MAX_TOKENS',
  stop_sequence: 'STOP',
  refusal: 'SAFETY',
};

/** Google's generateContent and streamGenerateContent. */
export const gemini: WireProtocol = {
  name: 'gemini',
  callPrefix: 'call_',

  read(body, target): WireRequest {
    const entries = entriesOf(body);
    if (entries === undefined)
      throw new MalformedRequest('* GenerateContentRequest.contents: contents is not specified');
    const config = objectOf(body['generationConfig']);
    const schema = config['responseJsonSchema'] ?? config['responseSchema'];
    return {
      model: /\/models\/([^/:]+)/.exec(target.path)?.[1] ?? '',
      stream: target.path.endsWith(':streamGenerateContent'),
      entries,
      get instructions() {
        return textsIn(objectOf(body['systemInstruction'] ?? body['system_instruction'])['parts']);
      },
      get tools() {
        return toolsOf(body);
      },
      toolless: isBlankList(body, 'tools'),
      ...(typeof config['maxOutputTokens'] === 'number' ? { maxTokens: config['maxOutputTokens'] } : {}),
      ...(isObject(schema) ? { answerSchema: schema } : {}),
    };
  },

  complete(answer): JsonObject {
    return chunk(answer, answer.blocks.map(partOf), true);
  },

  frames(answer): Frame[] {
    const frames: Frame[] = [];
    for (const block of answer.blocks) {
      if (block.type === 'tool_use') frames.push(frame(chunk(answer, [partOf(block)], false)));
      else {
        for (const text of streamed(block)) {
          frames.push(frame(chunk(answer, [partOf({ ...block, text })], false), estimateTokens(text.length)));
        }
      }
    }
    frames.push(frame(chunk(answer, [{ text: '' }], true)));
    return frames;
  },

  rawFrame(data) {
    return `data: ${data}\r\n\r\n`;
  },

  error(kind, message) {
    const [code, status, usual] = ERRORS[kind];
    return { status: code, body: { error: { code, message: message ?? usual, status } } };
  },

  tokenCount(tokens) {
    return { totalTokens: tokens };
  },
};

const entriesOf = messageReader('contents', (content) => [readContent(content)]);

function readContent(content: unknown): TranscriptEntry {
  if (!isObject(content)) throw new MalformedRequest('Invalid value at contents: an object is expected');
  if (content['role'] === 'model') return { kind: 'assistant' };
  const results = objectsIn(content['parts']).flatMap((part): WireToolResult[] => {
    if (!isObject(part['functionResponse'])) return [];
    const { id, name, response } = part['functionResponse'];
    const fields = objectOf(response);
    const text = stringOf(fields['output']) ?? stringOf(fields['error']) ?? JSON.stringify(fields);
    // Clients that leave out the id can only mean the call of that name.
    return [{ id: stringOf(id) ?? stringOf(name) ?? '', text, isError: 'error' in fields }];
  });
  return { kind: 'user', texts: textsIn(content['parts']), results };
}

function textsIn(parts: unknown): string[] {
  return objectsIn(parts).flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : []));
}

const toolsOf = toolReader((groups) =>
  objectsIn(groups).flatMap((group) => objectsIn(group['functionDeclarations']).flatMap((tool) => readTool(tool))),
);

function readTool(tool: JsonObject): OfferedTool[] {
  if (typeof tool['name'] !== 'string') return [];
  return [offeredTool(tool['name'], tool['description'], tool['parametersJsonSchema'] ?? tool['parameters'])];
}

function partOf(block: AnswerBlock): JsonObject {
  if (block.type === 'text') return { text: block.text };
  if (block.type === 'thinking') return { text: block.text, thought: true };
  return { functionCall: { id: block.id, name: block.name, args: block.input } };
}

function chunk(answer: Answer, parts: JsonObject[], last: boolean): JsonObject {
  const { usage } = answer;
  const prompt = usage.input + usage.cacheRead + usage.cacheCreation;
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        ...(last ? { finishReason: FINISH_REASONS[answer.stopReason] } : {}),
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: prompt,
      candidatesTokenCount: usage.output,
      totalTokenCount: prompt + usage.output,
      ...(usage.cacheRead === 0 ? {} : { cachedContentTokenCount: usage.cacheRead }),
    },
    modelVersion: answer.model,
    responseId: answer.id,
  };
}

function frame(data: JsonObject, tokens = 0): Frame {
  return { text: `data: ${JSON.stringify(data)}\r\n\r\n`, tokens };
}
