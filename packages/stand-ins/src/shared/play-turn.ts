import { estimateTokens, piecesOfBlock } from '@understudy/model';
import {
  type Failure,
  type Message,
  mockToolResult,
  pacing,
  type Reply,
  runsTools,
  type ScenarioDocument,
  type ToolResult,
  type ToolUse,
  toolNotOffered,
  type Unanswered,
} from '@understudy/script';
import { type StepUsage, usageOf } from './step-usage.js';
import type { LiveContext, LiveResult, LiveTools } from './tools/plain-tools.js';
import type { ToolSet, TranslatedCall } from './translate-call.js';

/** A tool call and its result, with the CLI's own names. */
export interface ToolCall {
  /** Counts the calls of the turn, from 0. */
  id: number;
  name: string;
  input: Record<string, unknown>;
  result: LiveResult;
  started: number;
  ended: number;
}

/** Shows a turn while it runs; each CLI has its own. */
export interface TurnView {
  onStepStart(): void;
  /** `pieces`: as the script cuts it for a stream. */
  onText(text: string, pieces?: readonly string[]): void;
  onThinking(text: string): void;
  /** The tool is about to run. */
  onToolStart?(call: Pick<ToolCall, 'id' | 'name' | 'input'>): void;
  onToolCall(call: ToolCall): void;
  onStepEnd(message: Message, usage: StepUsage): void;
  /** A request failed, and the CLI tries again. */
  onRetry?(failure: Failure): void;
  /** The stream broke off after this text. Not every CLI shows it. */
  onPartialText(partial: string, failure: Failure): void;
}

export type TurnEnding =
  | { kind: 'done' }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'unanswered'; unanswered: Pick<Unanswered, 'message' | 'fix'> }
  /** A tool needs a permission that nobody can give. */
  | { kind: 'refused'; tool: string };

export interface TurnOptions {
  scenario: ScenarioDocument;
  tools: ToolSet;
  /** The length of what the user said, for estimates of tokens. */
  promptLength?: number;
  /** How often the CLI repeats a request that failed so. Without it, until a failure that passes has passed. */
  retries?: (failure: Failure) => number;
  /** What the CLI's own network code does about a stalled stream: wait until it is killed, or give up in the end. */
  givesUpStalled?: true;
  /** Loaded by the first tool that really runs. */
  liveTools: () => Promise<LiveTools>;
  context: LiveContext;
  view: TurnView;
  /** Whether a tool may run; without it, all may. */
  mayUse?: (tool: string) => boolean;
  /** What becomes of a call that the CLI does not run, whoever would answer it. */
  refusalOf?: (tool: string, input: Record<string, unknown>) => LiveResult | undefined;
}

/** How a turn went, for the log. */
export interface PlayedTurn {
  end: TurnEnding;
  text: string;
  /** The last thing that was said. */
  lastText: string | undefined;
  matched: string[];
  calls: ToolCall[];
}

/** Plays a turn to its end: waits as the scenario says, runs the tools and shows each step. */
export async function playTurn(answer: Reply, options: TurnOptions): Promise<PlayedTurn> {
  const { scenario, view } = options;
  const texts: string[] = [];
  const matched: string[] = [];
  const calls: ToolCall[] = [];
  const finish = (end: TurnEnding): PlayedTurn => ({
    ...{ end, text: texts.join('\n'), matched, calls },
    lastText: texts.findLast((text) => text !== ''),
  });
  let reply: Reply | undefined = answer;
  let inputLength = options.promptLength ?? 0;
  while (reply !== undefined) {
    if (reply.kind === 'unanswered') return finish({ kind: 'unanswered', unanswered: reply });
    const message: Message | undefined = messageOf(reply, options);
    matched.push(reply.kind === 'message' ? reply.message.rulePath : reply.rulePath);
    if (message === undefined) {
      const { failure } = reply as Extract<Reply, { kind: 'failure' }>;
      const partial = 'partial_text' in failure ? failure.partial_text : undefined;
      await showFailure(failure, partial, options);
      if (partial !== undefined) texts.push(partial);
      return finish({ kind: 'failed', failure });
    }
    const offered = offeredCalls(message, options.tools);
    if ('lacking' in offered) {
      const { tool, isMeant } = offered.lacking;
      const problem = toolNotOffered(message.rulePath, tool, options.tools.names);
      const unanswered = isMeant ? { ...problem, fix: ONLY_REAL } : problem;
      return finish({ kind: 'unanswered', unanswered });
    }
    await wait((message.delayMs ?? scenario.timeouts?.response_delay_ms ?? 0) + timeToSay(message));
    view.onStepStart();
    const results: ToolResult[] = [];
    for (const block of message.blocks) {
      if (block.type === 'thinking') view.onThinking(block.text);
      else if (block.type === 'text') {
        texts.push(block.text);
        view.onText(block.text, block.pieces);
      } else {
        const translated = offered.calls.shift() as TranslatedCall;
        const { name, input } = translated;
        if (options.mayUse?.(name) === false) return finish({ kind: 'refused', tool: name });
        const id = calls.length;
        view.onToolStart?.({ id, name, input });
        const call = { id, ...(await runTool(block, translated, options)) };
        calls.push(call);
        view.onToolCall(call);
        results.push({ tool: block.tool, text: call.result.text, isError: call.result.isError });
      }
    }
    view.onStepEnd(message, usageOf(message, inputLength, offered.inputs));
    inputLength = results.reduce((sum, { text }) => sum + text.length, 0);
    reply = message.next?.(results);
  }
  return finish({ kind: 'done' });
}

/** How long the model takes for a message at its pace: these CLIs show what they have when it is whole. */
function timeToSay({ blocks, pace }: Message): number {
  if (pace === undefined) return 0;
  const waitFor = pacing(pace);
  const pieces = blocks.flatMap(piecesOfBlock);
  return pieces.reduce((sum, piece) => sum + waitFor(estimateTokens(piece.length)), 0);
}

/** The message in the end: at once, or after failures that the CLI's retries get over. */
function messageOf(
  reply: Exclude<Reply, Unanswered>,
  { retries = () => Number.POSITIVE_INFINITY, view }: TurnOptions,
): Message | undefined {
  if (reply.kind === 'message') return reply.message;
  const { failure, afterwards } = reply;
  const { times = 1 } = failure;
  if (afterwards === undefined || times > retries(failure)) return undefined;
  for (let count = 0; count < times; count++) view.onRetry?.(failure);
  return afterwards;
}

/** The calls of a message, unless it calls a tool that is not offered: then nothing of the message is shown. */
/** Which words a CLI has for that is only known of Claude Code. */
const ONLY_REAL = 'This stand-in cannot play it: use the real agent (`--stage scripted`).';

function offeredCalls(
  { blocks }: Message,
  tools: ToolSet,
): { calls: TranslatedCall[]; inputs: Record<string, unknown>[] } | { lacking: { tool: string; isMeant: boolean } } {
  const calls: TranslatedCall[] = [];
  for (const block of blocks) {
    if (block.type !== 'tool_use') continue;
    const call = tools.translate(block.tool, block.input) ?? unofferedCall(block, tools);
    if (call === undefined) return { lacking: { tool: block.tool, isMeant: block.offered === false } };
    calls.push(call);
  }
  return { calls, inputs: calls.map(({ input }) => input) };
}

/** A call that is meant to be refused, where it is known what the CLI says to it. */
function unofferedCall({ tool, input, offered }: ToolUse, tools: ToolSet): TranslatedCall | undefined {
  const call = offered === false ? tools.unavailable?.(tool) : undefined;
  return call === undefined ? undefined : { ...call, generic: undefined, words: input };
}

async function showFailure(
  failure: Failure,
  partial: string | undefined,
  { view, givesUpStalled }: TurnOptions,
): Promise<void> {
  if (partial !== undefined) view.onPartialText(partial, failure);
  if (failure.type === 'connection_timeout') await wait(failure.after_ms);
  if (failure.type === 'connection_refused') await wait(failure.for_ms ?? 0);
  if (failure.type !== 'stall') return;
  if (givesUpStalled) await wait(failure.after_ms);
  // A stalled stream stays open until the caller kills us.
  else await new Promise(() => setInterval(() => {}, 60_000));
}

async function runTool(use: ToolUse, call: TranslatedCall, options: TurnOptions): Promise<Omit<ToolCall, 'id'>> {
  const started = Date.now();
  const result = await resultOf(use, call, options);
  return { name: call.name, input: call.input, result, started, ended: Date.now() };
}

async function resultOf(
  use: ToolUse,
  { name, input, generic, words, result: given }: TranslatedCall,
  { scenario, liveTools, context, refusalOf }: TurnOptions,
): Promise<LiveResult> {
  const execution = scenario.tool_execution;
  const mocked =
    use.result !== undefined || use.error !== undefined || execution?.tools?.[use.tool]?.result !== undefined;
  const refused = given ?? refusalOf?.(name, input);
  if (refused !== undefined) return refused;
  if (!runsTools(scenario) || mocked) {
    const { text, isError } = mockToolResult(use, execution);
    return { text, isError, ...(generic === 'shell' ? { shell: { output: text, exit: isError ? 1 : 0 } } : {}) };
  }
  const run = (await liveTools())[generic ?? name];
  return (await run?.(words, context)) ?? { text: notRun(name), isError: true, notRun: true };
}

function notRun(name: string): string {
  return `The stand-in does not run ${name}. Give the call a result in the scenario.`;
}

async function wait(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
