import { isObject } from '@understudy/kit';
import { type Message, toolNotOffered } from '@understudy/script';
import type { Client } from './clients/client.js';
import type { Call, ModelConversation, Step } from './conversation.js';
import { nestedCall, nestedTools } from './nested-tools.js';
import { translateCall } from './tool-names.js';
import { estimateTokens } from './wire/pieces.js';
import type { Answer, AnswerBlock, OfferedTool, WireRequest } from './wire/protocol.js';

/** The parts of a request that its answer depends on. */
export interface AnswerContext {
  conversation: ModelConversation;
  step: Step;
  request: WireRequest;
  client: Client;
  callPrefix: string;
  /** Length of the prompt or tool results, in characters. */
  inputLength: number;
}

/** Thrown if the scenario calls a tool that the agent does not have. */
export class ToolNotOffered extends Error {
  readonly fix: string;

  constructor(rulePath: string, tool: string, offered: readonly OfferedTool[]) {
    const { message, fix } = toolNotOffered(
      rulePath,
      tool,
      offered.map(({ name }) => name),
    );
    super(message);
    this.fix = fix;
  }
}

/** Turns a scripted message into the answer to one request. */
export function prepareAnswer(message: Message, setting: AnswerContext): { answer: Answer; calls: Call[] } {
  const { conversation, step, request, client } = setting;
  // Few answers use tools, and reading the offered tools is slow.
  const tools = once(() => request.tools.flatMap((tool) => [tool, ...nestedTools(tool)]));
  const folder = once(() => client.workingFolder(request));
  const id = `${conversation.id}_${step.number}`;
  const calls: Call[] = [];
  const blocks = message.blocks.map((block): AnswerBlock => {
    if (block.type === 'text')
      return { type: 'text', text: block.text, ...(block.pieces === undefined ? {} : { pieces: block.pieces }) };
    if (block.type === 'thinking') return { type: 'thinking', text: block.text };
    const isOffered = block.offered !== false || tools().some(({ name }) => name === block.tool);
    const called = isOffered
      ? translateCall(block.tool, block.input, tools(), folder(), client.ownTools)
      : { tool: unofferedTool(block.tool), input: block.input };
    if (called === undefined) throw new ToolNotOffered(message.rulePath, block.tool, tools());
    const { name } = called.tool;
    const { nestedIn: outer = called.tool } = called.tool;
    const { custom, namespace } = outer;
    const call = { id: `${setting.callPrefix}${id}_${calls.length}`, scripted: block.tool, name };
    calls.push(call);
    return {
      type: 'tool_use',
      id: call.id,
      name: outer.name,
      input: outer === called.tool ? called.input : nestedCall(called.tool, called.input),
      ...(custom ? { custom } : {}),
      ...(namespace === undefined ? {} : { namespace }),
    };
  });
  const { usage = {} } = message;
  return {
    answer: {
      id,
      model: request.model,
      blocks,
      stopReason: message.stopReason,
      usage: {
        input: usage.input_tokens ?? estimateTokens(setting.inputLength),
        output: usage.output_tokens ?? blocks.reduce((sum, block) => sum + tokensOf(block), 0),
        cacheRead: usage.cache_read_input_tokens ?? 0,
        cacheCreation: usage.cache_creation_input_tokens ?? 0,
      },
    },
    calls,
  };
}

/** A tool that a model calls although it was not offered: what becomes of that is the agent's affair. */
function unofferedTool(name: string): OfferedTool {
  return { name, description: '', properties: new Set(), required: [] };
}

/** An answer with only a text. */
export function plainAnswer(id: string, model: string, text: string | undefined): Answer {
  return {
    id,
    model,
    blocks: text === undefined ? [] : [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: { input: 1, output: estimateTokens(text?.length ?? 0), cacheRead: 0, cacheCreation: 0 },
  };
}

/** Nothing, at no price: whether a CLI comes to ask for what it could do without depends on the clock. */
export function silentAnswer(id: string, model: string): Answer {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
  return { ...plainAnswer(id, model, undefined), usage };
}

/** The answer of an agent that judges for a hook: it calls a tool for that, unless it says something else. */
export function verdictCall(id: string, model: string, verdict: string): Answer {
  const plain = plainAnswer(id, model, verdict);
  let input: unknown;
  try {
    input = JSON.parse(verdict);
  } catch {
    return plain;
  }
  if (!isObject(input)) return plain;
  const blocks: AnswerBlock[] = [{ type: 'tool_use', id: `toolu_${id}`, name: 'StructuredOutput', input }];
  return { ...plain, blocks, stopReason: 'tool_use' };
}

function tokensOf(block: AnswerBlock): number {
  return estimateTokens(block.type === 'tool_use' ? JSON.stringify(block.input).length : block.text.length);
}

/** Computes a value at the first call and remembers it. */
function once<T>(work: () => T): () => T {
  let done: { value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}
