import type { JsonObject } from '@understudy/kit';
import { stringOf } from './json.js';
import { estimateTokens, piecesOf, streamed } from './pieces.js';
import type { Answer, AnswerBlock } from './protocol.js';

type Event = { data: JsonObject & { type: string }; tokens: number };

/** The response as the Responses API sends it: while it runs, and when it has ended. */
export function responseObject(answer: Answer, output: JsonObject[], state: 'in_progress' | 'ended'): JsonObject {
  const cut = state === 'ended' ? CUT_SHORT[answer.stopReason] : undefined;
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    status: state === 'in_progress' ? 'in_progress' : cut === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: cut === undefined ? null : { reason: cut },
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: answer.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: state === 'in_progress' ? null : usageOf(answer),
  };
}

const CUT_SHORT: Partial<Record<Answer['stopReason'], string>> = {
  max_tokens: 'max_output_tokens',
  refusal: 'content_filter',
};

/** A block of the answer as a finished item. */
export function outputItem(answer: Answer, block: AnswerBlock, index: number): JsonObject {
  if (block.type === 'text') {
    const content = [{ type: 'output_text', text: block.text, annotations: [], logprobs: [] }];
    return { type: 'message', id: itemId(answer, block, index), status: 'completed', role: 'assistant', content };
  }
  if (block.type === 'thinking') {
    return {
      type: 'reasoning',
      id: itemId(answer, block, index),
      summary: [{ type: 'summary_text', text: block.text }],
    };
  }
  const call = { id: itemId(answer, block, index), call_id: block.id, name: block.name, status: 'completed' };
  if (block.custom) return { type: 'custom_tool_call', ...call, input: freeText(block.input) };
  const namespace = block.namespace === undefined ? {} : { namespace: block.namespace };
  return { type: 'function_call', ...call, ...namespace, arguments: JSON.stringify(block.input) };
}

/** The events of a block, from its first to its last. */
export function outputItemEvents(answer: Answer, block: AnswerBlock, output_index: number): Event[] {
  const item = outputItem(answer, block, output_index);
  const where = { item_id: itemId(answer, block, output_index), output_index };
  return [
    event({ type: 'response.output_item.added', output_index, item: unfinished(item) }),
    ...inside(block, where),
    event({ type: 'response.output_item.done', output_index, item }),
  ];
}

function inside(block: AnswerBlock, where: { item_id: string; output_index: number }): Event[] {
  if (block.type === 'text') {
    const at = { ...where, content_index: 0 };
    const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });
    return [
      event({ type: 'response.content_part.added', ...at, part: part('') }),
      ...streamed(block).map((delta) =>
        event({ type: 'response.output_text.delta', ...at, delta, logprobs: [] }, delta),
      ),
      event({ type: 'response.output_text.done', ...at, text: block.text, logprobs: [] }),
      event({ type: 'response.content_part.done', ...at, part: part(block.text) }),
    ];
  }
  if (block.type === 'thinking') {
    const at = { ...where, summary_index: 0 };
    return [
      event({ type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } }),
      ...piecesOf(block.text).map((delta) =>
        event({ type: 'response.reasoning_summary_text.delta', ...at, delta }, delta),
      ),
      event({ type: 'response.reasoning_summary_text.done', ...at, text: block.text }),
      event({ type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text: block.text } }),
    ];
  }
  if (block.custom) {
    const input = freeText(block.input);
    return [
      ...piecesOf(input).map((delta) => event({ type: 'response.custom_tool_call_input.delta', ...where, delta })),
      event({ type: 'response.custom_tool_call_input.done', ...where, input }),
    ];
  }
  const text = JSON.stringify(block.input);
  return [
    ...piecesOf(text).map((delta) => event({ type: 'response.function_call_arguments.delta', ...where, delta })),
    event({ type: 'response.function_call_arguments.done', ...where, name: block.name, arguments: text }),
  ];
}

function unfinished(item: JsonObject): JsonObject {
  switch (item['type']) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'reasoning':
      return { ...item, summary: [] };
    case 'custom_tool_call':
      return { ...item, status: 'in_progress', input: '' };
    default:
      return { ...item, status: 'in_progress', arguments: '' };
  }
}

/** A custom tool takes one text: the only argument, whatever the scenario calls it. */
function freeText(input: JsonObject): string {
  const values = Object.values(input);
  return (values.length === 1 ? stringOf(values[0]) : undefined) ?? stringOf(input['input']) ?? JSON.stringify(input);
}

function itemId(answer: Answer, block: AnswerBlock, index: number): string {
  const prefix = block.type === 'text' ? 'msg' : block.type === 'thinking' ? 'rs' : block.custom ? 'ctc' : 'fc';
  return `${prefix}_${answer.id}_${index}`;
}

function usageOf({ usage }: Answer): JsonObject {
  const input = usage.input + usage.cacheRead + usage.cacheCreation;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + usage.output,
  };
}

function event(data: JsonObject & { type: string }, said = ''): Event {
  return { data, tokens: estimateTokens(said.length) };
}
