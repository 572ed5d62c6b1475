import type { ConversationEvent, EventOf } from '@understudy/agents';
import { defined, type ProgramEnd, shortenLine } from '@understudy/kit';
import { type AgentCall, joinTexts, pick, type Told } from '@understudy/stage';

/** What a check looks at: the events of one turn, and all of the conversation up to its end. */
export interface Observed {
  turn: readonly ConversationEvent[];
  all: readonly ConversationEvent[];
  /** What the model was told in the turn. It is read when a check asks for it. */
  told?: (() => Told) | undefined;
  /** The tools that the script calls, in this turn or another. */
  scripted?: readonly string[] | undefined;
}

/** What was seen of one run of a program. */
export interface ObservedRun extends ProgramEnd {
  /** Absent where it was not looked at. */
  leftovers?: readonly string[] | undefined;
}

/** A call of an agent with its events as they are in the log. */
export interface LoggedCall {
  call: AgentCall;
  events: readonly ConversationEvent[];
}

/** A tool call with what came of it; without a result it never came back. */
export interface ObservedTool {
  tool: string;
  input: Record<string, unknown>;
  result?: EventOf<'tool_result'>;
  /** Who called it, where that was a subagent. */
  agent?: string;
}

/** All that the main agent said, in order. */
export function agentText(events: readonly ConversationEvent[]): string {
  return joinTexts(pick(events, 'text').flatMap(({ text, parent }) => (parent === undefined ? [text] : [])));
}

/** The tool calls in order, each with its result. */
export function observedTools(events: readonly ConversationEvent[]): ObservedTool[] {
  const results = new Map(pick(events, 'tool_result').map((event) => [event.id, event]));
  return pick(events, 'tool_call').map(({ id, tool, input, agent }) => {
    const result = results.get(id);
    return { tool, input, ...defined({ result, agent }) };
  });
}

/** `Bash {"command":"ls"} → ok`, short enough for a report. */
export function describeTool({ tool, input, result }: ObservedTool): string {
  return `${tool} ${shortenLine(JSON.stringify(input))} → ${result?.status ?? 'no result'}`;
}

/** Whether these came in this order; others may come in between. */
export function inOrder<T>(order: readonly string[], seen: readonly T[], isIt: (wanted: string, one: T) => boolean) {
  let next = 0;
  for (const one of seen) if (next < order.length && isIt(order[next] ?? '', one)) next++;
  return next === order.length;
}
