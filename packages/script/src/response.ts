import { asTextPattern, compileTextPattern } from './pattern.js';
import type { Block, Message, Reply, StopReason, ToolResult } from './reply.js';
import type { Branch, DetailedResponse, Response, ResponseBlock, ScriptedUsage } from './schema.js';
import { fillTemplate, fillTemplates, type TemplateContext } from './template.js';

/** Gives the first message of a response's chain. */
export type Speak = (context: TemplateContext) => Message;

/** Answers tool results that no branch of a `then` matches. */
export type OnUnanswered = (rulePath: string, results: readonly ToolResult[]) => Reply;

const NO_USAGE: ScriptedUsage = { input_tokens: 0, output_tokens: 0 };

/**
 * Turns a response into the chain of messages that a model would send. A message with tool calls ends after them,
 * and the next message follows their results.
 */
export function compileResponse(response: Response, rulePath: string, onUnanswered: OnUnanswered): Speak {
  const detailed = typeof response === 'string' ? { text: response } : response;
  const messages = messagesOf(detailed);
  const last = messages.length - 1;
  const continueWith = compileThen(detailed.then, rulePath, onUnanswered);

  const say = (index: number, context: TemplateContext): Message => {
    const blocks = fillBlocks(messages[index] ?? [], context, detailed.template ?? true);
    const usesTools = blocks.some((block) => block.type === 'tool_use');
    const stopReason: StopReason = usesTools ? 'tool_use' : (detailed.stop_reason ?? 'end_turn');
    const message: Message = { rulePath, blocks, stopReason };
    // `usage` in the file is the total of the whole chain, so the last message carries it.
    if (detailed.usage !== undefined) message.usage = index === last ? detailed.usage : NO_USAGE;
    if (detailed.delay_ms !== undefined && index === 0) message.delayMs = detailed.delay_ms;
    if (detailed.pace !== undefined) message.pace = detailed.pace;
    if (usesTools) {
      message.next = (results, feedback = '') => {
        const after = { ...context, results: joinResults(results) };
        if (index < last) return { kind: 'message', message: say(index + 1, after) };
        if (continueWith !== undefined) return continueWith({ results, feedback }, after);
        return { kind: 'message', message: { rulePath, blocks: [], stopReason: 'end_turn' } };
      };
    }
    return message;
  };
  return (context) => say(0, context);
}

/** The texts of tool results, as branches and templates see them. */
export function joinResults(results: readonly ToolResult[]): string {
  return results.map((result) => result.text).join('\n');
}

/** A block of a file, and how its text is cut for a stream. */
type ScriptedBlock = ResponseBlock & { pieces?: string[] };

/** The blocks of each message of the chain. */
export function messagesOf(response: DetailedResponse): ScriptedBlock[][] {
  if (response.blocks !== undefined) return splitAfterTools(response.blocks);
  const thinking: ResponseBlock[] =
    response.thinking === undefined ? [] : [{ type: 'thinking', text: response.thinking }];
  const { chunks } = response;
  const said = chunks === undefined ? response.text : chunks.join('');
  const text: ScriptedBlock[] = said
    ? [{ type: 'text', text: said, ...(chunks === undefined ? {} : { pieces: chunks }) }]
    : [];
  const tools = (response.tool_calls ?? []).map((call): ResponseBlock => ({ type: 'tool_use', ...call }));
  if (tools.length === 0) return [[...thinking, ...text]];
  if (response.then !== undefined) return [[...thinking, ...text, ...tools]];
  return text.length === 0 ? [[...thinking, ...tools]] : [[...thinking, ...tools], text];
}

/** Tool calls end a message, because a model continues only after their results. */
function splitAfterTools(blocks: readonly ResponseBlock[]): ResponseBlock[][] {
  const messages: ResponseBlock[][] = [[]];
  let afterTool = false;
  for (const block of blocks) {
    if (afterTool && block.type !== 'tool_use') messages.push([]);
    messages.at(-1)?.push(block);
    afterTool = block.type === 'tool_use';
  }
  return messages;
}

function fillBlocks(blocks: readonly ScriptedBlock[], context: TemplateContext, template: boolean): Block[] {
  return blocks.map((block): Block => {
    if (block.pieces !== undefined && block.type === 'text') {
      const pieces = template ? block.pieces.map((piece) => fillTemplate(piece, context)) : block.pieces;
      return { type: 'text', text: pieces.join(''), pieces: pieces.filter((piece) => piece !== '') };
    }
    if (block.type !== 'tool_use')
      return template ? { ...block, text: fillTemplate(block.text, context) } : { ...block };
    const input = fillTemplates(block.input ?? {}, template ? context : undefined) as Record<string, unknown>;
    return { ...block, input };
  });
}

/** What a branch can react to. */
interface AfterTools {
  results: readonly ToolResult[];
  feedback: string;
}

type ContinueWith = (after: AfterTools, context: TemplateContext) => Reply;

function compileThen(
  then: DetailedResponse['then'],
  rulePath: string,
  onUnanswered: OnUnanswered,
): ContinueWith | undefined {
  if (then === undefined) return undefined;
  if (!Array.isArray(then)) {
    const speak = compileResponse(then, `${rulePath}.then`, onUnanswered);
    return (_after, context) => ({ kind: 'message', message: speak(context) });
  }
  const branches = then.map((branch, index) => compileBranch(branch, `${rulePath}.then[${index}]`, onUnanswered));
  return (after, context) => {
    for (const { speak, match } of branches) {
      const matched = match(after, context);
      if (matched !== undefined) return { kind: 'message', message: speak(matched) };
    }
    return onUnanswered(`${rulePath}.then`, after.results);
  };
}

function compileBranch({ expect, error, feedback, response }: Branch, rulePath: string, onUnanswered: OnUnanswered) {
  const speak = compileResponse(response, rulePath, onUnanswered);
  const pattern = expect === undefined ? undefined : compileTextPattern(expect);
  const wantedFeedback = feedback === undefined ? undefined : compileTextPattern(asTextPattern(feedback));
  /** The template context if this branch matches. */
  const match = ({ results, feedback: told }: AfterTools, context: TemplateContext): TemplateContext | undefined => {
    if (wantedFeedback !== undefined && (told === '' || wantedFeedback.match(told.trim()) === undefined))
      return undefined;
    if (error !== undefined && error !== results.some((result) => result.isError)) return undefined;
    if (pattern === undefined) return context;
    const captures = pattern.match(joinResults(results).trim());
    return captures === undefined ? undefined : { ...context, captures };
  };
  return { speak, match };
}
