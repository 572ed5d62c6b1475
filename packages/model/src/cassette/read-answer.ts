import { defined, isObject, type JsonObject } from '@understudy/kit';
import { objectOf, objectsIn, parseObject, stringOf } from '../server/wire/json.js';
import type { ProtocolName } from '../server/wire/protocol.js';
import type { RecordedAnswer } from './format.js';

/** What the model said, in no protocol's terms. */
export interface ReadAnswer {
  text: string;
  thinking?: string;
  tools: { id: string; name: string; input: JsonObject }[];
  stop: string;
  usage?: { input: number; output: number };
  /** Why there is no answer, in the words of the service. */
  error?: string;
}

interface Collected {
  text: string;
  thinking: string;
  /** By their place in the answer. Arguments come as text, in pieces. */
  tools: Map<string, { id: string; name: string; arguments: string }>;
  stop: string;
  usage: { input: number; output: number } | undefined;
}

/** Reads a recorded answer, whole or as a stream. */
export function readAnswer(protocol: ProtocolName, answer: RecordedAnswer): ReadAnswer {
  const documents = answer.events === undefined ? [answer.body] : answer.events.map(({ data }) => data);
  if (answer.status >= 400) return { text: '', tools: [], stop: 'error', error: errorIn(answer.body ?? documents[0]) };
  const collected: Collected = { text: '', thinking: '', tools: new Map(), stop: 'end_turn', usage: undefined };
  for (const document of documents.flat()) if (isObject(document)) READERS[protocol](document, collected);
  const { text, thinking, tools, stop, usage } = collected;
  const error = documents
    .map((document) => (isObject(document) && 'error' in document ? errorIn(document) : ''))
    .join('');
  return {
    text,
    ...(thinking === '' ? {} : { thinking }),
    tools: [...tools.values()].map(({ id, name, arguments: input }) => ({
      id,
      name,
      input: parseObject(input || '{}'),
    })),
    stop,
    ...defined({ usage }),
    ...(error === '' || protocol === 'openai-responses' ? {} : { error }),
  };
}

function errorIn(body: unknown): string {
  const error = objectOf(body)['error'];
  return (
    stringOf(objectOf(error)['message']) ?? stringOf(error) ?? stringOf(objectOf(body)['message']) ?? String(body ?? '')
  );
}

type Reader = (document: JsonObject, into: Collected) => void;

const READERS: Record<ProtocolName, Reader> = {
  'anthropic-messages': readAnthropic,
  'openai-chat': readChat,
  'openai-responses': readResponses,
  gemini: readGemini,
};

function readAnthropic(document: JsonObject, into: Collected): void {
  if (document['type'] === 'message') {
    for (const [index, block] of objectsIn(document['content']).entries()) anthropicBlock(block, String(index), into);
    anthropicEnd(document, into);
    return;
  }
  const index = String(document['index'] ?? '');
  const delta = objectOf(document['delta']);
  switch (document['type']) {
    case 'content_block_start':
      anthropicBlock(objectOf(document['content_block']), index, into);
      break;
    case 'content_block_delta': {
      into.text += stringOf(delta['text']) ?? '';
      into.thinking += stringOf(delta['thinking']) ?? '';
      const tool = into.tools.get(index);
      if (tool !== undefined) tool.arguments += stringOf(delta['partial_json']) ?? '';
      break;
    }
    case 'message_start':
      anthropicUsage(objectOf(document['message'])['usage'], into);
      break;
    case 'message_delta':
      anthropicEnd({ ...delta, usage: document['usage'] }, into);
      break;
  }
}

function anthropicBlock(block: JsonObject, index: string, into: Collected): void {
  into.text += stringOf(block['text']) ?? '';
  into.thinking += stringOf(block['thinking']) ?? '';
  if (block['type'] !== 'tool_use') return;
  const input =
    isObject(block['input']) && Object.keys(block['input']).length > 0 ? JSON.stringify(block['input']) : '';
  into.tools.set(index, { id: stringOf(block['id']) ?? '', name: stringOf(block['name']) ?? '', arguments: input });
}

function anthropicEnd(document: JsonObject, into: Collected): void {
  into.stop = stringOf(document['stop_reason']) ?? into.stop;
  anthropicUsage(document['usage'], into);
}

function anthropicUsage(usage: unknown, into: Collected): void {
  if (!isObject(usage)) return;
  into.usage = {
    input: Number(usage['input_tokens'] ?? into.usage?.input ?? 0),
    output: Number(usage['output_tokens'] ?? into.usage?.output ?? 0),
  };
}

function readChat(document: JsonObject, into: Collected): void {
  const [choice] = objectsIn(document['choices']);
  const message = objectOf(choice?.['delta'] ?? choice?.['message']);
  into.text += stringOf(message['content']) ?? '';
  into.thinking += stringOf(message['reasoning_content']) ?? stringOf(message['reasoning']) ?? '';
  objectsIn(message['tool_calls']).forEach((call, position) => {
    const index = String(call['index'] ?? position);
    const called = objectOf(call['function']);
    const tool = into.tools.get(index) ?? { id: '', name: '', arguments: '' };
    tool.id ||= stringOf(call['id']) ?? '';
    tool.name ||= stringOf(called['name']) ?? '';
    tool.arguments += stringOf(called['arguments']) ?? '';
    into.tools.set(index, tool);
  });
  const stop = stringOf(choice?.['finish_reason']);
  if (stop !== undefined) into.stop = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens' }[stop] ?? stop;
  const { usage } = document;
  if (isObject(usage))
    into.usage = { input: Number(usage['prompt_tokens'] ?? 0), output: Number(usage['completion_tokens'] ?? 0) };
}

/** The last event has the whole answer. */
function readResponses(document: JsonObject, into: Collected): void {
  const whole = isObject(document['response']) ? document['response'] : document;
  const isItem = document['type'] === 'response.output_item.done';
  const items = isItem
    ? [objectOf(document['item'])]
    : document['object'] === 'response'
      ? objectsIn(whole['output'])
      : [];
  for (const item of items) responsesItem(item, into);
  const { usage } = whole;
  if (isObject(usage))
    into.usage = { input: Number(usage['input_tokens'] ?? 0), output: Number(usage['output_tokens'] ?? 0) };
  if (whole['status'] === 'incomplete') into.stop = 'max_tokens';
}

function responsesItem(item: JsonObject, into: Collected): void {
  if (item['type'] === 'message')
    for (const part of objectsIn(item['content']))
      into.text += stringOf(part['text']) ?? stringOf(part['refusal']) ?? '';
  if (item['type'] === 'reasoning')
    for (const part of objectsIn(item['summary'])) into.thinking += stringOf(part['text']) ?? '';
  if (item['type'] !== 'function_call' && item['type'] !== 'custom_tool_call') return;
  const id = stringOf(item['call_id']) ?? '';
  const free = stringOf(item['input']);
  const input = free === undefined ? (stringOf(item['arguments']) ?? '') : JSON.stringify({ input: free });
  into.tools.set(id, { id, name: stringOf(item['name']) ?? '', arguments: input });
  into.stop = 'tool_use';
}

function readGemini(document: JsonObject, into: Collected): void {
  const [candidate] = objectsIn(document['candidates']);
  for (const part of objectsIn(objectOf(candidate?.['content'])['parts'])) {
    const text = stringOf(part['text']) ?? '';
    if (part['thought'] === true) into.thinking += text;
    else into.text += text;
    const call = part['functionCall'];
    if (!isObject(call)) continue;
    const name = stringOf(call['name']) ?? '';
    const id = stringOf(call['id']) ?? `${name}_${into.tools.size}`;
    into.tools.set(String(into.tools.size), { id, name, arguments: JSON.stringify(call['args'] ?? {}) });
    into.stop = 'tool_use';
  }
  if (candidate?.['finishReason'] === 'MAX_TOKENS') into.stop = 'max_tokens';
  const usage = document['usageMetadata'];
  if (isObject(usage))
    into.usage = { input: Number(usage['promptTokenCount'] ?? 0), output: Number(usage['candidatesTokenCount'] ?? 0) };
}
