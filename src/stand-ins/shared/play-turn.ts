import { mockToolResult } from '../../scenario/mock-tool.js';
import type { Message, Reply, ToolResult, ToolUse, Unanswered } from '../../scenario/reply.js';
import type { Failure, ScenarioDocument } from '../../scenario/schema.js';
import type { LiveContext, LiveResult, LiveTools } from './tools/plain-tools.js';
import { type CliTool, translateCall } from './translate-call.js';

/** A tool call and its result, with the CLI's own names. */
export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
  result: LiveResult;
  started: number;
  ended: number;
}

/** Shows a turn while it runs; each CLI has its own. */
export interface TurnView {
  onStepStart(): void;
  onText(text: string): void;
  onThinking(text: string): void;
  onToolCall(call: ToolCall): void;
  onStepEnd(message: Message): void;
  /** The stream broke off after this text. Not every CLI shows it. */
  onPartialText(partial: string, failure: Failure): void;
}

export type TurnEnding =
  | { kind: 'done' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'unanswered'; unanswered: Unanswered }
  /** A tool needs a permission that nobody can give. */
  | { kind: 'refused'; tool: string };

export interface TurnOptions {
  scenario: ScenarioDocument;
  tools: readonly CliTool[];
  /** Loaded by the first tool that really runs. */
  liveTools: () => Promise<LiveTools>;
  context: LiveContext;
  view: TurnView;
  /** Whether a tool may run; without it, all may. */
  mayUse?: (tool: string) => boolean;
}

/** How a turn went, for the log. */
export interface PlayedTurn {
  end: TurnEnding;
  text: string;
  matched: string[];
  calls: ToolCall[];
}

/** Plays a turn to its end: waits as the scenario says, runs the tools and shows each step. */
export async function playTurn(answer: Reply, options: TurnOptions): Promise<PlayedTurn> {
  const { scenario, view } = options;
  const texts: string[] = [];
  const matched: string[] = [];
  const calls: ToolCall[] = [];
  const finish = (end: TurnEnding): PlayedTurn => ({ end, text: texts.join('\n'), matched, calls });
  let reply: Reply | undefined = answer;
  while (reply !== undefined) {
    if (reply.kind === 'unanswered') return finish({ kind: 'unanswered', unanswered: reply });
    const message: Message | undefined = reply.kind === 'message' ? reply.message : reply.afterwards;
    matched.push(reply.kind === 'message' ? reply.message.rulePath : reply.rulePath);
    if (message === undefined) {
      const { failure } = reply as Extract<Reply, { kind: 'failure' }>;
      const partial = 'partial_text' in failure ? failure.partial_text : undefined;
      await showFailure(failure, partial, view);
      if (partial !== undefined) texts.push(partial);
      return finish({ kind: 'failed', failure });
    }
    await wait(message.delayMs ?? scenario.timeouts?.response_delay_ms ?? 0);
    view.onStepStart();
    const results: ToolResult[] = [];
    for (const block of message.blocks) {
      if (block.type === 'thinking') view.onThinking(block.text);
      else if (block.type === 'text') {
        texts.push(block.text);
        view.onText(block.text);
      } else {
        const { name } = translateCall(block.tool, block.input, options.tools);
        if (options.mayUse?.(name) === false) return finish({ kind: 'refused', tool: name });
        const call = await runTool(block, options);
        calls.push(call);
        view.onToolCall(call);
        results.push({ tool: block.tool, text: call.result.text, isError: call.result.isError });
      }
    }
    view.onStepEnd(message);
    reply = message.next?.(results);
  }
  return finish({ kind: 'done' });
}

async function showFailure(failure: Failure, partial: string | undefined, view: TurnView): Promise<void> {
  if (partial !== undefined) view.onPartialText(partial, failure);
  if (failure.type === 'connection_timeout') await wait(failure.after_ms);
  if (failure.type === 'connection_refused') await wait(failure.for_ms ?? 0);
  // A stalled stream stays open until the caller kills us.
  if (failure.type === 'stall') await new Promise(() => setInterval(() => {}, 60_000));
}

async function runTool(use: ToolUse, { scenario, tools, liveTools, context }: TurnOptions): Promise<ToolCall> {
  const { name, input, generic, words } = translateCall(use.tool, use.input, tools);
  const execution = scenario.tool_execution;
  const mocked =
    use.result !== undefined || use.error !== undefined || execution?.tools?.[use.tool]?.result !== undefined;
  const started = Date.now();
  let result: LiveResult;
  if (execution?.mode !== 'live' || mocked) {
    const { text, isError } = mockToolResult(use, execution);
    result = {
      text,
      isError,
      ...(generic === 'shell' ? { shell: { output: text, exit: isError ? 1 : 0 } } : {}),
    };
  } else if (generic === undefined) {
    result = { text: `The stand-in does not run ${name}. Give the call a result in the scenario.`, isError: true };
  } else {
    result = await (await liveTools())[generic](words, context);
  }
  return { name, input, result, started, ended: Date.now() };
}

async function wait(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
